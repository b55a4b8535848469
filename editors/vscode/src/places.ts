// From the protocol's places to the editor's.

import * as vscode from 'vscode';
import type { Location, Position, Range } from './protocol';

export function toPosition(it: Position): vscode.Position {
  return new vscode.Position(it.line, it.character);
}

export function toRange(it: Range): vscode.Range {
  return new vscode.Range(toPosition(it.start), toPosition(it.end));
}

export function toLocation(it: Location): vscode.Location {
  return new vscode.Location(vscode.Uri.parse(it.uri), toRange(it.range));
}

/** Opens a place in the editor. */
export async function show(it: Location): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.parse(it.uri), { selection: toRange(it.range), preview: true });
}
