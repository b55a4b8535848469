// What package.json says against what the code and the schema say.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OWN_COMMANDS, TOOLS } from '../src/protocol';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const commands = readFileSync('src/commands.ts', 'utf8');
const registered = new Set([...commands.matchAll(/^ {4}'(mockpoint\.\w+)':/gm)].map((it) => it[1]));

test('the settings are those of docs/settings.schema.json', () => {
  execFileSync(process.execPath, ['scripts/settings.mjs'], { stdio: 'inherit' });
});

test('settings that name programs are for the machine, and not for workspaces that nobody trusts', () => {
  const properties = manifest.contributes.configuration.properties;
  assert.equal(properties['mockpoint.server.path'].scope, 'machine');
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes('mockpoint.server.path'));
});

test('all settings have a description and a scope that VS Code knows', () => {
  for (const [name, it] of Object.entries<Record<string, unknown>>(manifest.contributes.configuration.properties)) {
    assert.ok(String(it.markdownDescription ?? '').length > 10, name);
    assert.ok(['resource', 'window', 'machine', 'machine-overridable'].includes(String(it.scope)), name);
    assert.equal((it.markdownEnumDescriptions as unknown[] | undefined)?.length, it.markdownEnumDescriptions && (it.enum as unknown[]).length, name);
  }
});

test('every command that is contributed, shown or named in a document is registered', () => {
  const named = [...JSON.stringify(manifest).matchAll(/"command":"(mockpoint\.\w+)"|command:(mockpoint\.\w+)\b(?!\.)/g)].map((it) => it[1] ?? it[2]);
  assert.ok(named.length > 15);
  named.filter((it) => it !== 'mockpoint.points').forEach((it) => assert.ok(registered.has(it!), it));
});

test('commands that the server is told to keep to itself are registered here', () => {
  OWN_COMMANDS.forEach((it) => assert.ok(registered.has(it), it));
});

test('the tools to export for are those of the command line', () => {
  const source = readFileSync('../../server/src/export.rs', 'utf8');
  const names = [...source.matchAll(/Tool::\w+ => "([a-z-]+)",/g)].map((it) => it[1]);
  assert.ok(names.length >= 8);
  assert.deepEqual(TOOLS.map((it) => it.label), names);
});

test('files that package.json names are there', () => {
  const steps = manifest.contributes.walkthroughs[0].steps as { media: { markdown: string } }[];
  for (const it of [manifest.icon, manifest.contributes.viewsContainers.activitybar[0].icon, ...steps.map((step) => step.media.markdown)]) {
    assert.ok(existsSync(it), it);
  }
});

test('the lock file names no registry', () => {
  assert.ok(!readFileSync('package-lock.json', 'utf8').includes('"resolved"'));
});
