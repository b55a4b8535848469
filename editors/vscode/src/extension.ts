// Where VS Code begins and ends the extension.

import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Server } from './server';
import { showStatus } from './status';
import { PointTree } from './tree';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Mockpoint', { log: true });
  server = new Server(context, log);
  const points = new PointTree(server, log);
  context.subscriptions.push(
    log,
    server,
    points,
    showStatus(server),
    registerCommands(server, points, log),
    vscode.workspace.onDidChangeConfiguration((event) => {
      // These are read when the server starts; all others the server asks for.
      if (event.affectsConfiguration('mockpoint.server')) {
        void server?.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server?.restart()),
  );
  await server.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
