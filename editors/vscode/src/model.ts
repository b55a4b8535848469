// The tree: mocking points by category, class, method, source; behind them fields by what is said of them. Knows nothing of VS Code.

import type { Class, Field, FieldClass, Fields, Findings, Location, Method } from './protocol';

export interface Node {
  kind: 'category' | 'class' | 'method' | 'source' | 'fields' | 'field' | 'modifier';
  /** Stays the same while the tree is built anew, so that what is open stays open. */
  id: string;
  label: string;
  /** Said beside the label in grey. */
  description: string;
  tooltip: string;
  /** Where a click leads. */
  location?: Location;
  children: Node[];
}

const CATEGORIES: Record<string, [string, string]> = {
  system: ['System state', 'The clock, random numbers, the environment, the host, the process'],
  internal: ['Internal state', 'Static fields and fields of beans that are modified while the service runs'],
  external: ['External state', 'Databases, other services, brokers, caches, files'],
  'white-list': ['White list', 'What mockpoint.toml lists'],
};

const VERDICTS: Record<string, [string, string]> = {
  'modified-field': ['Modified fields', 'Static fields and fields of beans that are modified while the service runs'],
  'never-modified-field': ['Fields ruled out', 'Fields that look like state and are none, each with the reason'],
};

/** The roots of the tree. `filter` leaves methods and fields that have it in their class, name or sources, in upper or lower case. */
export function tree(findings: Findings, filter = ''): Node[] {
  const wanted = filter.trim().toLowerCase();
  const roots = findings.categories.map(({ category, classes }): Node => {
    const children = classes.map((it) => classNode(category, it, wanted)).filter((it) => it.children.length > 0);
    const [label, tooltip] = CATEGORIES[category] ?? [category, category];
    return { kind: 'category', id: category, label, description: String(countMethods(children)), tooltip, children };
  });
  const fields = findings.fields.map((it) => fieldsNode(it, wanted));
  return [...roots, ...fields].filter((it) => it.children.length > 0);
}

function fieldsNode({ verdict, classes }: Fields, wanted: string): Node {
  const children = classes.map((it) => fieldClassNode(verdict, it, wanted)).filter((it) => it.children.length > 0);
  const [label, tooltip] = VERDICTS[verdict] ?? [verdict, verdict];
  return { kind: 'fields', id: verdict, label, description: String(countMethods(children)), tooltip, children };
}

function fieldClassNode(verdict: string, it: FieldClass, wanted: string): Node {
  const id = `${verdict}/${it.class}`;
  const has = (field: Field) =>
    [`${it.class}.${field.name}`, field.reason ?? '', ...field.modifiers.map((modifier) => modifier.method)].some((text) => text.toLowerCase().includes(wanted));
  const children = it.fields.filter(has).map((field) => fieldNode(id, field));
  const description = `${children.length} ${parentOf(it)}`.trim();
  return { kind: 'class', id, label: it.name, description, tooltip: it.class, location: children[0]?.location, children };
}

function fieldNode(parent: string, it: Field): Node {
  const id = `${parent}/${it.name}`;
  const children = it.modifiers.map((modifier, index): Node => {
    const line = `:${modifier.range.start.line + 1}`;
    const description = modifier.called ? line : `${line} nothing calls it`;
    return { kind: 'modifier', id: `${id}/${index}`, label: short(modifier.method), description, tooltip: modifier.method, location: modifier, children: [] };
  });
  const description = it.reason ?? (children.length === 1 ? '1 modifier' : `${children.length} modifiers`);
  return { kind: 'field', id, label: it.name, description, tooltip: it.message, location: { uri: it.uri, range: it.range }, children };
}

/** What encloses a class: its package, as a rule. */
function parentOf(it: { class: string; name: string }): string {
  return it.class.endsWith(`.${it.name}`) ? it.class.slice(0, -it.name.length - 1) : '';
}

/** The number of mocking points in a tree. A method that depends on several kinds of state is one. */
export function countPoints(roots: Node[]): number {
  const methods = roots.filter((root) => root.kind === 'category').flatMap((root) => root.children).flatMap((it) => it.children);
  return new Set(methods.map((it) => (it.location ? key(it.location) : it.id))).size;
}

function countMethods(classes: Node[]): number {
  return classes.reduce((sum, it) => sum + it.children.length, 0);
}

function key(at: Location): string {
  return `${at.uri}#${at.range.start.line}:${at.range.start.character}`;
}

function classNode(category: string, it: Class, wanted: string): Node {
  const id = `${category}/${it.class}`;
  const children = it.methods.filter((method) => isWanted(it, method, wanted)).map((method) => methodNode(id, category, method));
  const description = `${children.length} ${parentOf(it)}`.trim();
  return { kind: 'class', id, label: it.name, description, tooltip: it.class, location: children[0]?.location, children };
}

function isWanted(it: Class, method: Method, wanted: string): boolean {
  const texts = [`${it.class}.${method.name}`, method.signature, ...method.sources.map((source) => source.what)];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Without packages, for which a view has no room. */
function short(name: string): string {
  return name.replaceAll(/\b(?:[a-z_$][\w$]*\.)+(?=[A-Z])/g, '');
}

function methodNode(parent: string, category: string, it: Method): Node {
  const id = `${parent}/${it.signature}`;
  const sources = it.sources.filter((source) => source.category === category);
  const children = sources.map((source, index): Node => {
    const line = `:${source.range.start.line + 1}`;
    const description = source.via === null ? line : `${line} via ${short(source.via)}`;
    return { kind: 'source', id: `${id}/${index}`, label: short(source.what), description, tooltip: source.what, location: source, children: [] };
  });
  const description = children.length === 1 ? '1 source' : `${children.length} sources`;
  const location = { uri: it.uri, range: it.selectionRange };
  return { kind: 'method', id, label: it.name, description, tooltip: it.message, location, children };
}
