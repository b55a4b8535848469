// What the server and this extension say to each other beyond the protocol; docs/protocol.md explains it.

/** The tools that `mockpoint export` knows, for a quick pick. */
export const TOOLS = [
  { label: 'arex', description: 'AREX: the list of dynamic classes' },
  { label: 'repeater', description: 'jvm-sandbox-repeater: its configuration' },
  { label: 'moonbox', description: 'MoonBox: its two lists of mocks' },
  { label: 'diffblue', description: 'Diffblue Cover: options of dcover create' },
  { label: 'testable-mock', description: 'TestableMock: test classes' },
  { label: 'mockito', description: 'Mockito: base classes of tests' },
  { label: 'noise', description: 'What of answers is never the same, for tools that compare them' },
  { label: 'csv', description: 'A table, one line a mocking point' },
  { label: 'sarif', description: 'SARIF 2.1.0, with all findings' },
];

/** What `mockpoint.export` answers that was told a folder. */
export interface Exported {
  /** The addresses of the files that were written, and of those that were there and stay. */
  written: string[];
  kept: string[];
  /** A line each. */
  remarks: string;
  entries: number;
  leftOut: number;
}

/** A place in a text, as in the protocol: lines and columns from 0, columns in UTF-16 units. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Location {
  uri: string;
  range: Range;
}

export interface Source extends Location {
  category: string;
  what: string;
  via: string | null;
}

export interface Method extends Location {
  name: string;
  signature: string;
  message: string;
  /** Its name. */
  selectionRange: Range;
  sources: Source[];
}

export interface Class {
  /** The full name. */
  class: string;
  name: string;
  uri: string;
  methods: Method[];
}

export interface Category {
  category: string;
  count: number;
  classes: Class[];
}

export interface Modifier extends Location {
  /** The full name of the method. */
  method: string;
  called: boolean;
}

export interface Field extends Location {
  name: string;
  message: string;
  /** Why it is ruled out; null where it is modified. */
  reason: string | null;
  modifiers: Modifier[];
}

export interface FieldClass {
  /** The full name. */
  class: string;
  name: string;
  uri: string;
  fields: Field[];
}

/** Fields of which the same is said. */
export interface Fields {
  verdict: string;
  count: number;
  classes: FieldClass[];
}

/** The answer to `mockpoint/findings`. */
export interface Findings {
  /** False while the workspace is read for the first time. */
  complete: boolean;
  categories: Category[];
  fields: Fields[];
}

export const FINDINGS = 'mockpoint/findings';

/** What the notification `mockpoint/status` says. */
export interface Status {
  state: 'indexing' | 'analysing' | 'ready';
  filesDone: number;
  filesTotal: number;
  files: number;
  mockingPoints: number;
  modifiedFields: number;
  neverModifiedFields: number;
  lostSideEffects: number;
}

export const STATUS = 'mockpoint/status';

/** Commands of the server that this extension runs itself, so that the server does not announce them. */
export const OWN_COMMANDS = [
  'mockpoint.analyseWorkspace',
  'mockpoint.exportFindings',
  'mockpoint.export',
  'mockpoint.showStatistics',
  'mockpoint.findings',
  'mockpoint.showPath',
  'mockpoint.showModifiers',
  'mockpoint.makeFinalEverywhere',
];
