import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Node, countPoints, tree } from '../src/model';
import type { Category, Fields, Findings, Method } from '../src/protocol';

const place = (line: number) => ({ start: { line, character: 4 }, end: { line, character: 9 } });

function method(name: string, line: number, ...sources: [category: string, what: string, via?: string][]): Method {
  const uri = 'file:///A.java';
  const all = sources.map(([category, what, via]) => ({ category, what, via: via ?? null, uri, range: place(line + 1) }));
  return { name, signature: `${name}()`, message: `says ${name}`, uri, range: place(line), selectionRange: place(line), sources: all };
}

const NOW = method('now', 1, ['system', 'java.time.Instant.now()']);
const BOTH = method('both', 10, ['system', 'java.util.UUID.randomUUID()'], ['internal', 'a.A.cache'], ['internal', 'a.A.size', 'a.A.copy']);

function category(name: string, ...methods: Method[]): Category {
  return { category: name, count: methods.length, classes: [{ class: 'a.b.A', name: 'A', uri: 'file:///A.java', methods }] };
}

const FINDINGS: Findings = { complete: true, categories: [category('system', NOW, BOTH), category('internal', BOTH)], fields: [] };

function fields(verdict: string, ...all: [name: string, reason: string | null, ...modifiers: [method: string, called: boolean][]][]): Fields {
  const uri = 'file:///A.java';
  const list = all.map(([name, reason, ...modifiers], index) => {
    const by = modifiers.map(([method, called], line) => ({ method, called, uri, range: place(20 + line) }));
    return { name, reason, message: `says ${name}`, uri, range: place(index), modifiers: by };
  });
  return { verdict, count: list.length, classes: [{ class: 'a.b.A', name: 'A', uri, fields: list }] };
}

const MODIFIED = fields('modified-field', ['cache', null, ['a.b.A.put', true], ['a.b.A.drop', false]]);
const RULED_OUT = fields('never-modified-field', ['limit', 'no modifier'], ['size', 'modifier never called', ['a.b.A.setSize', false]]);
const WITH_FIELDS: Findings = { ...FINDINGS, fields: [MODIFIED, RULED_OUT] };

/** A tree as lines, two spaces for each level. */
function lines(nodes: Node[], indent = ''): string[] {
  return nodes.flatMap((it) => [`${indent}${it.label} | ${it.description}`, ...lines(it.children, `${indent}  `)]);
}

test('category, class, method, and of the sources those of the category', () => {
  assert.deepEqual(lines(tree(FINDINGS)), [
    'System state | 2',
    '  A | 2 a.b',
    '    now | 1 source',
    '      Instant.now() | :3',
    '    both | 1 source',
    '      UUID.randomUUID() | :12',
    'Internal state | 1',
    '  A | 1 a.b',
    '    both | 2 sources',
    '      A.cache | :12',
    '      A.size | :12 via A.copy',
  ]);
});

test('a method of two categories is one mocking point', () => {
  assert.equal(countPoints(tree(FINDINGS)), 2);
});

test('fields stand behind the methods, with modifiers or the reason', () => {
  assert.deepEqual(lines(tree(WITH_FIELDS)).slice(lines(tree(FINDINGS)).length), [
    'Modified fields | 1',
    '  A | 1 a.b',
    '    cache | 2 modifiers',
    '      A.put | :21',
    '      A.drop | :22 nothing calls it',
    'Fields ruled out | 2',
    '  A | 2 a.b',
    '    limit | no modifier',
    '    size | modifier never called',
    '      A.setSize | :21 nothing calls it',
  ]);
  assert.equal(countPoints(tree(WITH_FIELDS)), 2, 'fields are no mocking points');
  const [root] = tree(WITH_FIELDS, 'setsize');
  assert.deepEqual(lines([root!]).map((it) => it.trim().split(' |')[0]), ['Fields ruled out', 'A', 'size', 'A.setSize']);
  assert.deepEqual(root!.children[0]!.children[0]!.location, { uri: 'file:///A.java', range: place(1) });
});

test('a filter leaves what has it in class, method or source, and no empty nodes', () => {
  assert.deepEqual(lines(tree(FINDINGS, ' NOW ')).map((it) => it.trim().split(' ')[0]), ['System', 'A', 'now', 'Instant.now()']);
  assert.equal(countPoints(tree(FINDINGS, 'randomUUID')), 1);
  assert.equal(countPoints(tree(FINDINGS, 'a.b.A')), 2);
  assert.deepEqual(tree(FINDINGS, 'nothing has this'), []);
});

test('a click leads to the name of a method and to its source', () => {
  const [root] = tree(FINDINGS);
  const [now] = root!.children[0]!.children;
  assert.deepEqual(now!.location, { uri: 'file:///A.java', range: place(1) });
  assert.deepEqual(now!.children[0]!.location!.range, place(2));
  assert.equal(now!.children[0]!.tooltip, 'java.time.Instant.now()');
});

test('identities differ, also between overloads and categories', () => {
  const ids = new Set<string>();
  const overload = { ...NOW, signature: 'now(int)' };
  const enter = (nodes: Node[]): void =>
    nodes.forEach((it) => {
      assert.ok(!ids.has(it.id), it.id);
      ids.add(it.id);
      enter(it.children);
    });
  enter(tree({ ...WITH_FIELDS, categories: [category('system', NOW, overload, BOTH), category('internal', BOTH)] }));
  assert.ok(ids.size > 8);
});
