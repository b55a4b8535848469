// The view of mocking points.

import * as vscode from 'vscode';
import { type Node, countPoints, tree } from './model';
import { FINDINGS, type Findings } from './protocol';
import type { Server } from './server';

const ICONS: Record<Node['kind'], string> = {
  category: 'symbol-enum',
  fields: 'symbol-namespace',
  class: 'symbol-class',
  method: 'symbol-method',
  field: 'symbol-field',
  source: 'references',
  modifier: 'edit',
};

export class PointTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private findings: Findings = { complete: false, categories: [], fields: [] };
  private roots: Node[] = [];
  private filter = '';
  /** Nobody asks the server while nobody looks. */
  private isStale = false;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.view = vscode.window.createTreeView('mockpoint.points', { treeDataProvider: this, showCollapseAll: true });
    const visibility = this.view.onDidChangeVisibility(() => this.refreshIfSeen());
    const state = server.onChange((it) => {
      if (it.state === 'ready') {
        this.isStale = true;
        this.refreshIfSeen();
      } else if (it.state === 'stopped' || it.state === 'failed') {
        this.show({ complete: false, categories: [], fields: [] });
      }
    });
    this.subscription = vscode.Disposable.from(visibility, state);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const open = node.kind === 'category' || (node.kind === 'class' && this.filter !== '') ? Expanded : Collapsed;
    const item = new vscode.TreeItem(node.label, node.children.length === 0 ? None : open);
    // A filter opens what it leaves, which VS Code only does for items that it has not seen.
    item.id = `${this.filter}/${node.id}`;
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.iconPath = new vscode.ThemeIcon(ICONS[node.kind]);
    item.contextValue = node.kind;
    if (node.location && node.kind !== 'class') {
      item.command = { command: 'mockpoint.open', title: 'Open', arguments: [node.location] };
    }
    return item;
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? this.roots : node.children;
  }

  private refreshIfSeen(): void {
    if (this.isStale && this.view.visible) {
      void this.refresh();
    }
  }

  private async refresh(): Promise<void> {
    this.isStale = false;
    try {
      this.show(await this.server.request<Findings>(FINDINGS, {}));
    } catch (err) {
      this.log.warn(`No findings for the tree: ${err instanceof Error ? err.message : String(err)}`);
    }
  }

  /** Asks the user for a filter. */
  async askFilter(): Promise<void> {
    const prompt = 'Show mocking points and fields whose class, name or source has this text';
    const answer = await vscode.window.showInputBox({ prompt, value: this.filter, placeHolder: 'Instant.now' });
    if (answer !== undefined) {
      this.setFilter(answer);
    }
  }

  setFilter(filter: string): void {
    this.filter = filter.trim();
    void vscode.commands.executeCommand('setContext', 'mockpoint.isFiltered', this.filter !== '');
    this.show(this.findings);
  }

  dispose(): void {
    this.subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  private show(findings: Findings): void {
    this.findings = findings;
    this.roots = tree(findings, this.filter);
    const n = countPoints(this.roots);
    this.view.description = n === 0 ? undefined : String(n);
    this.view.message = this.filter === '' ? undefined : `Filter: ${this.filter}`;
    this.changed.fire();
  }
}
