// The status item of Java files: what the server does, and what it found.

import * as vscode from 'vscode';
import type { Server, ServerState } from './server';

export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('mockpoint.status', [{ language: 'java' }]);
  item.name = 'Mockpoint';
  const update = (state: ServerState) => {
    const said = describe(state);
    item.text = said.text;
    item.detail = said.detail;
    item.busy = state.state === 'starting' || state.state === 'indexing' || state.state === 'analysing';
    item.severity = state.state === 'failed' ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    item.command =
      state.state === 'failed' || state.state === 'stopped'
        ? { command: 'mockpoint.showOutput', title: 'Show output' }
        : { command: 'mockpoint.showStatistics', title: 'Statistics' };
  };
  update(server.state);
  return vscode.Disposable.from(item, server.onChange(update));
}

/** What the item says. */
export function describe(state: ServerState): { text: string; detail: string } {
  switch (state.state) {
    case 'starting':
      return { text: 'Mockpoint starts', detail: '' };
    case 'stopped':
      return { text: 'Mockpoint does not run', detail: '' };
    case 'failed':
      return { text: 'Mockpoint has no server', detail: state.problem };
    case 'indexing':
      return { text: 'Mockpoint reads files', detail: state.filesTotal > 0 ? `${state.filesDone} of ${state.filesTotal}` : '' };
    case 'analysing':
    case 'ready':
      return { text: `${state.mockingPoints} mocking points`, detail: `${state.modifiedFields} modified fields, ${state.lostSideEffects} lost side effects` };
  }
}
