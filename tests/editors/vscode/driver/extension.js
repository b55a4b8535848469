// Runs in VS Code's extension host beside the extension of mockpoint, and checks what a user gets from it through the API
// that VS Code has for all providers. `.ci/vscode.sh` installs it.
//
// MOCKPOINT_E2E names a folder: results.json goes there, when all is done. The workspace is a copy that may be changed.

const vscode = require('vscode');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const TIMEOUT = 30_000;
const results = [];

function check(name, ok, detail = '') {
  results.push({ name, ok: Boolean(ok), detail: ok ? '' : String(detail) });
  return Boolean(ok);
}

/** Waits until `get` gives something, and gives that. */
async function eventually(get) {
  for (const end = Date.now() + TIMEOUT; Date.now() < end; ) {
    const res = await get();
    if (res) return res;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}

const folder = () => vscode.workspace.workspaceFolders[0].uri;
const uriOf = (file) => vscode.Uri.joinPath(folder(), 'src/main/java/shop/orders', file);

async function open(file) {
  const document = await vscode.workspace.openTextDocument(uriOf(file));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The place of the first `word` after `before`. */
function find(document, word, before = '') {
  const start = document.getText().indexOf(word, document.getText().indexOf(before));
  return new vscode.Range(document.positionAt(start), document.positionAt(start + word.length));
}

function diagnostics(document, code, word) {
  const ours = vscode.languages.getDiagnostics(document.uri).filter((it) => it.source === 'mockpoint');
  return ours.filter((it) => (it.code?.value ?? it.code) === code && (!word || document.getText(it.range) === word));
}

function say(document) {
  return JSON.stringify(vscode.languages.getDiagnostics(document.uri).map((it) => [it.range.start.line, it.code?.value ?? it.code, it.message]));
}

/** The title of an action that begins with `prefix`, applied as VS Code would. */
async function apply(document, range, prefix) {
  const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, range, undefined, 100);
  const action = actions.find((it) => it.title.startsWith(prefix) && !it.disabled);
  if (!action) return check(`an action '${prefix} …' is offered`, false, actions.map((it) => it.title));
  if (action.edit) await vscode.workspace.applyEdit(action.edit);
  if (action.command) await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
  return action.title;
}

const cases = {
  async 'a finding is shown at the name of the method, with its path and a page'() {
    const document = await open('service/OrderService.java');
    const found = await eventually(() => diagnostics(document, 'mocking-point', 'cancel')[0]);
    if (!check('OrderService.cancel has a diagnostic', found, say(document))) return;
    check('it is information', found.severity === vscode.DiagnosticSeverity.Information, found.severity);
    check('it names its source', found.message.includes('java.time.Instant.now()'), found.message);
    check('related places lead along the path', found.relatedInformation?.length > 0, JSON.stringify(found.relatedInformation));
    check('its code leads to a page', String(found.code?.target ?? '').includes('#mocking-point'), JSON.stringify(found.code));
    check('a method that depends on nothing has none', diagnostics(document, 'mocking-point', 'find').length === 0, say(document));
  },

  async 'hovering tells the verdict'() {
    const document = await open('service/OrderService.java');
    const at = find(document, 'cancel', 'public boolean').start;
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, at);
    const text = hovers.flatMap((it) => it.contents).map((it) => it.value ?? it).join('\n');
    check('the hover tells of the source', text.includes('Instant.now()'), text);
    // The workbench shows the diagnostic with its related places in the same hover.
    check('but not the path, which the diagnostic has', !/^\d+\. /m.test(text), text);
    const source = find(document, 'Instant.now', 'public boolean cancel').start;
    const there = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, source);
    const path = there.flatMap((it) => it.contents).map((it) => it.value ?? it).join('\n');
    check('where no diagnostic is, the hover has the path', /^1\. /m.test(path), path);
  },

  async 'a lens says what a method is and leads to its path'() {
    const document = await open('service/OrderService.java');
    const at = find(document, 'cancel', 'public boolean').start;
    const lens = await eventually(async () => {
      const all = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 100);
      return all?.find((it) => it.range.start.line === at.line && it.command?.command === 'mockpoint.showPath');
    });
    if (!check('there is a lens above OrderService.cancel', lens, 'none')) return;
    check('it says what the method is', /mocking point/i.test(lens.command.title), lens.command.title);
    const [uri, position, locations] = lens.command.arguments;
    check('it names the document', uri === document.uri.toString() && typeof position.line === 'number', uri);
    check('and the places of the path', locations?.length > 0, JSON.stringify(locations));
  },

  async 'a quick fix makes a field final'() {
    const document = await open('config/Defaults.java');
    const found = await eventually(() => diagnostics(document, 'never-modified-field', 'retries')[0]);
    if (!check('Defaults.retries has a diagnostic', found, say(document))) return;
    await apply(document, found.range, 'Make');
    check('the field is final', document.getText().includes('private static final int retries = 3;'), document.getText());
  },

  async 'a quick fix suppresses a finding'() {
    const document = await open('config/Defaults.java');
    const found = await eventually(() => diagnostics(document, 'mocking-point', 'started')[0]);
    if (!check('Defaults.started has a diagnostic', found, say(document))) return;
    await apply(document, found.range, 'Suppress');
    const gone = await eventually(() => diagnostics(document, 'mocking-point', 'started').length === 0);
    check('the finding is gone', gone, say(document));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    check('and comes back with its text', await eventually(() => diagnostics(document, 'mocking-point', 'started').length > 0), say(document));
  },

  async 'findings follow what is typed'() {
    const document = await open('service/OrderService.java');
    const end = document.positionAt(document.getText().lastIndexOf('}'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, end, '\n    long typed() {\n        return System.nanoTime();\n    }\n');
    await vscode.workspace.applyEdit(edit);
    check('a new method is reported', await eventually(() => diagnostics(document, 'mocking-point', 'typed')[0]), say(document));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    check('and goes with its text', await eventually(() => !diagnostics(document, 'mocking-point', 'typed')[0]), say(document));
  },

  async 'the tree has what the command line finds'() {
    const findings = await eventually(async () => {
      const res = await vscode.commands.executeCommand('mockpoint.findings');
      return res?.complete && res;
    });
    if (!check('the server answers what the tree asks', findings, 'no answer')) return;
    const report = JSON.parse(execFileSync(process.env.MOCKPOINT, ['check', '--format', 'json', folder().fsPath], { encoding: 'utf8' }));
    const expected = {};
    for (const point of report.mocking_points) for (const it of point.categories) expected[it] = (expected[it] ?? 0) + 1;
    const found = Object.fromEntries(findings.categories.map((it) => [it.category, it.classes.reduce((n, one) => n + one.methods.length, 0)]));
    const sorted = (object) => JSON.stringify(Object.entries(object).sort());
    const ours = report.fields.filter((it) => it.reason !== 'constant');
    const count = (verdict) => ours.filter((it) => it.verdict === verdict).length;
    const fields = Object.fromEntries(findings.fields.map((it) => [it.verdict, it.classes.reduce((n, one) => n + one.fields.length, 0)]));
    check('of fields too', fields['modified-field'] === count('modified') && fields['never-modified-field'] === count('ruled-out'), JSON.stringify(fields));
    check('by category as many', Object.keys(found).length > 0 && sorted(found) === sorted(expected), `${sorted(found)} against ${sorted(expected)}`);
  },

  async 'settings count while the server runs'() {
    const document = await open('service/OrderService.java');
    const settings = vscode.workspace.getConfiguration('mockpoint');
    await settings.update('diagnostics.severity', { 'mocking-point': 'warning' }, vscode.ConfigurationTarget.Workspace);
    const is = (severity) => () => diagnostics(document, 'mocking-point', 'cancel')[0]?.severity === severity;
    check('a severity', await eventually(is(vscode.DiagnosticSeverity.Warning)), say(document));
    await settings.update('diagnostics.severity', undefined, vscode.ConfigurationTarget.Workspace);
    check('and back', await eventually(is(vscode.DiagnosticSeverity.Information)), say(document));

    const others = () => vscode.languages.getDiagnostics().filter(([uri, list]) => uri.path.endsWith('/RateLimiter.java') && list.length > 0);
    check('files that are not open have no diagnostics', others().length === 0, 'RateLimiter.java has');
    await settings.update('diagnostics.scope', 'workspace', vscode.ConfigurationTarget.Workspace);
    check('unless that is asked for', await eventually(() => others().length > 0), 'RateLimiter.java has none');
    await settings.update('diagnostics.scope', undefined, vscode.ConfigurationTarget.Workspace);
    check('then they go again', await eventually(() => others().length === 0), 'RateLimiter.java has some');

    const hints = () => vscode.commands.executeCommand('vscode.executeInlayHintProvider', document.uri, new vscode.Range(0, 0, document.lineCount, 0));
    check('there are no inlay hints', ((await hints()) ?? []).length === 0, 'some');
    await settings.update('inlayHints.enable', true, vscode.ConfigurationTarget.Workspace);
    check('unless they are asked for', await eventually(async () => ((await hints()) ?? []).length > 0), 'none');
    await settings.update('inlayHints.enable', undefined, vscode.ConfigurationTarget.Workspace);
  },

  async 'findings are exported'() {
    // Which editor is the active one is told to extensions a moment after it was opened or closed.
    const active = () => vscode.window.activeTextEditor?.document.getText() ?? '';
    const shown = (key) => eventually(() => active().includes(key) && JSON.parse(active()));
    await vscode.commands.executeCommand('mockpoint.exportFindings', { format: 'json' });
    const json = await shown('"mocking_points"');
    check('as JSON', json?.mocking_points?.length > 10, active().slice(0, 200));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('mockpoint.exportFindings', { format: 'sarif' });
    const sarif = await shown('"runs"');
    check('as SARIF', sarif?.version === '2.1.0' && sarif.runs?.[0]?.results?.length > 10, active().slice(0, 200));
    await closeAll();
  },

  async 'lists for tools go into the folder report'() {
    const read = async (file) => new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder(), 'report', file)));
    await vscode.commands.executeCommand('mockpoint.export', { for: 'arex' });
    const shown = vscode.window.activeTextEditor?.document;
    check('the list for AREX is shown', shown?.uri.path.endsWith('/report/arex.json'), shown?.uri);
    check('and saved', Array.isArray(JSON.parse(await read('arex.json'))), await read('arex.json'));
    const printed = execFileSync(process.env.MOCKPOINT, ['export', '--for', 'csv', '.'], { encoding: 'utf8', cwd: folder().fsPath, stdio: ['ignore', 'pipe', 'ignore'] });
    await vscode.commands.executeCommand('mockpoint.export', { for: 'csv' });
    check('a table is what the command line prints', (await read('mocking-points.csv')) === printed, printed.slice(0, 300));
    await vscode.commands.executeCommand('mockpoint.export', { for: 'mockito' });
    const made = vscode.window.activeTextEditor?.document;
    check('test classes have a folder of their own', made?.uri.path.includes('/report/mockito/') && made.languageId === 'java', made?.uri);
    await closeAll();
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'report'), { recursive: true });
  },

  async 'the workspace is analysed again'() {
    const counts = await vscode.commands.executeCommand('mockpoint.analyseWorkspace');
    check('the server says what it found', counts?.mockingPoints > 10, JSON.stringify(counts));
  },

  async 'the page of statistics opens'() {
    await vscode.commands.executeCommand('mockpoint.showStatistics');
    const tab = await eventually(() => vscode.window.tabGroups.all.flatMap((it) => it.tabs).find((it) => it.label === 'Mockpoint Statistics'));
    check('as one tab', tab?.input instanceof vscode.TabInputWebview, 'no tab');
    await closeAll();
  },

  async 'the configuration opens, a new one unsaved'() {
    await vscode.commands.executeCommand('mockpoint.openConfiguration');
    const { document } = vscode.window.activeTextEditor;
    check('mockpoint.toml is in the editor', document.uri.scheme === 'untitled' && document.uri.path.endsWith('/mockpoint.toml'), document.uri);
    await closeAll();
  },

  async 'the server starts again'() {
    const document = await open('service/OrderService.java');
    await vscode.commands.executeCommand('mockpoint.restart');
    check('with its findings', await eventually(() => diagnostics(document, 'mocking-point', 'cancel')[0]), say(document));
    await closeAll();
  },
};

/** Closes all editors, what was never saved first: VS Code would ask the user about it. */
async function closeAll() {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

exports.activate = async () => {
  const extension = vscode.extensions.getExtension('mockpoint.mockpoint');
  if (check('the extension is installed', extension, 'not found')) {
    await extension.activate();
    for (const [name, run] of Object.entries(cases)) {
      try {
        await run();
      } catch (err) {
        check(name, false, err.stack);
      }
    }
  }
  const file = path.join(process.env.MOCKPOINT_E2E, 'results.json');
  fs.writeFileSync(`${file}.part`, JSON.stringify(results));
  fs.renameSync(`${file}.part`, file);
};
