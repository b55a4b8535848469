// The commands.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type Stats, page } from './page';
import { show, toLocation, toPosition } from './places';
import { type Exported, type Location, type Position, TOOLS } from './protocol';
import type { Server } from './server';
import type { PointTree } from './tree';

export function registerCommands(server: Server, points: PointTree, log: vscode.LogOutputChannel): vscode.Disposable {
  const statistics = new StatisticsPage(server);
  const commands: Record<string, (...args: never[]) => unknown> = {
    'mockpoint.analyseWorkspace': () => analyse(server),
    'mockpoint.exportFindings': (options?: { format?: string }) => exportFindings(server, options?.format),
    'mockpoint.export': (options?: { for?: string }) => exportForTool(server, log, options?.for),
    'mockpoint.showStatistics': () => statistics.show(),
    'mockpoint.findings': () => server.command('mockpoint.findings', {}),
    'mockpoint.showPath': (uri: string, at: Position, locations?: Location[]) => peek(server, 'mockpoint.showPath', uri, at, locations),
    'mockpoint.showModifiers': (uri: string, at: Position, locations?: Location[]) => peek(server, 'mockpoint.showModifiers', uri, at, locations),
    'mockpoint.makeFinalEverywhere': () => makeFinalEverywhere(server),
    'mockpoint.restart': () => server.restart(),
    'mockpoint.openConfiguration': () => openConfiguration(),
    'mockpoint.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'mockpoint.'),
    'mockpoint.showOutput': () => log.show(),
    'mockpoint.open': (it: Location) => show(it),
    'mockpoint.filterPoints': () => points.askFilter(),
    'mockpoint.clearFilter': () => points.setFilter(''),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(name, async (...args: never[]) => {
      try {
        return await run(...args);
      } catch (err) {
        const message = err instanceof Error ? err.message : String(err);
        log.error(`${name}: ${message}`);
        void vscode.window.showErrorMessage(`Mockpoint: ${message}`);
        return undefined;
      }
    }),
  );
  return vscode.Disposable.from(statistics, ...registered);
}

async function analyse(server: Server): Promise<unknown> {
  const options = { location: vscode.ProgressLocation.Window, title: 'Mockpoint analyses the workspace' };
  return vscode.window.withProgress(options, () => server.command('mockpoint.analyseWorkspace'));
}

async function makeFinalEverywhere(server: Server): Promise<void> {
  const found = await server.command<{ files: number; places: number }>('mockpoint.makeFinalEverywhere');
  if (found?.files === 0) {
    void vscode.window.showInformationMessage('Mockpoint: no field is to be made final.');
  }
}

/** The report as a new document, which the user may save or not. Asks for the format unless a key binding names one. */
async function exportFindings(server: Server, format?: string): Promise<void> {
  const formats = [
    { label: 'JSON', format: 'json', detail: 'All that mockpoint knows, as docs/report.schema.json describes it' },
    { label: 'SARIF', format: 'sarif', detail: 'For GitHub code scanning and other viewers' },
  ];
  const chosen = format ?? (await vscode.window.showQuickPick(formats, { placeHolder: 'Format of the report' }))?.format;
  if (chosen === undefined) {
    return;
  }
  const report = await server.command<unknown>('mockpoint.exportFindings', { format: chosen });
  const content = typeof report === 'string' ? report : JSON.stringify(report, undefined, 2);
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document);
}

/** Writes the list for a tool into the folder `report` of the workspace and opens it. Asks for the tool unless a key binding names one. */
async function exportForTool(server: Server, log: vscode.LogOutputChannel, name?: string): Promise<void> {
  const tool = name ?? (await vscode.window.showQuickPick(TOOLS, { placeHolder: 'Tool that takes the mocking points', matchOnDescription: true }))?.label;
  if (tool === undefined) {
    return;
  }
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const target = vscode.Uri.joinPath(folder.uri, 'report');
  const { written, kept, remarks, entries, leftOut } = await server.command<Exported>('mockpoint.export', { for: tool, folder: target.toString() });
  if (remarks.trim() !== '') {
    log.info(`Export for ${tool}:\n${remarks.trimEnd()}`);
  }
  if (written[0] !== undefined) {
    await vscode.window.showTextDocument(vscode.Uri.parse(written[0]));
  }
  const others = kept.length > 0 ? ` ${kept.length} that were there stayed as they are.` : '';
  const said = `Mockpoint: ${entries} entries for ${tool}, ${leftOut} left out.${others}`;
  // Nobody has to answer before the command is done.
  void vscode.window.showInformationMessage(said, 'Show Remarks').then((answer) => answer && log.show());
}

/** Shows places in a list beside the code. Without places of a lens, the server is asked for those of the cursor. */
async function peek(server: Server, command: string, uri?: string, at?: Position, known?: Location[]): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const document = uri ?? editor?.document.uri.toString();
  const position = at ?? editor?.selection.active;
  if (document === undefined || position === undefined) {
    return;
  }
  const plain = { line: position.line, character: position.character };
  const locations = known ?? (await server.command<Location[] | null>(command, document, plain));
  if (!locations || locations.length === 0) {
    void vscode.window.showInformationMessage('Mockpoint has nothing to show here.');
    return;
  }
  await vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(document), toPosition(plain), locations.map(toLocation));
}

/** The folder of the workspace, or the one of several that the user picks. */
async function chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    throw new Error('No folder is open.');
  }
  return folders.length > 1 ? vscode.window.showWorkspaceFolderPick() : folders[0];
}

/** Opens the `mockpoint.toml` of a folder, or a new one that is not saved yet. */
async function openConfiguration(): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, 'mockpoint.toml');
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  await vscode.window.showTextDocument(isThere ? uri : uri.with({ scheme: 'untitled' }));
}

/** The page of statistics: one, which is brought up to date when it is asked for again. */
class StatisticsPage implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly server: Server) {}

  async show(): Promise<void> {
    const stats = await this.server.command<Stats>('mockpoint.showStatistics', { format: 'json' });
    if (this.panel === undefined) {
      const options = { enableScripts: false, localResourceRoots: [] };
      this.panel = vscode.window.createWebviewPanel('mockpoint.statistics', 'Mockpoint Statistics', vscode.ViewColumn.Active, options);
      this.panel.onDidDispose(() => {
        this.panel = undefined;
      });
    }
    this.panel.webview.html = page(stats, randomBytes(16).toString('base64url'));
    this.panel.reveal();
  }

  dispose(): void {
    this.panel?.dispose();
  }
}
