// The settings in package.json: those of the server, made from docs/settings.schema.json, which is made from the types
// that the server reads; and those of this extension, which stand here.
//
//   node scripts/settings.mjs --write   writes them to package.json
//   node scripts/settings.mjs           fails if package.json has others

import { readFileSync, writeFileSync } from 'node:fs';

const manifestFile = new URL('../package.json', import.meta.url);
const schemaFile = new URL('../../../docs/settings.schema.json', import.meta.url);

const OWN = {
  'mockpoint.server.path': {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'The program to run instead of the one that comes with the extension. `~/` and `${workspaceFolder}` stand for what they say.',
  },
  'mockpoint.server.logLevel': {
    type: 'string',
    enum: ['off', 'error', 'warn', 'info', 'debug', 'trace'],
    default: 'warn',
    scope: 'machine-overridable',
    markdownDescription: 'What the server logs to the output channel *Mockpoint*.',
  },
  'mockpoint.trace.server': {
    type: 'string',
    enum: ['messages', 'verbose'],
    default: 'messages',
    scope: 'window',
    markdownDescription:
      'How much of the messages between VS Code and the server the output channel *Mockpoint Trace* shows, once its log level is *Trace* (command *Developer: Set Log Level…*).',
  },
};

/** The settings of a schema, by their full names. Objects with known fields are groups of settings, unless they have a scope. */
export function settings(schema) {
  const res = {};
  const enter = (prefix, object) => {
    for (const [name, property] of Object.entries(object.properties)) {
      const target = resolve(schema, property);
      if (target.type === 'object' && target.properties && !property['x-scope']) {
        enter(`${prefix}.${name}`, target);
      } else {
        res[`${prefix}.${name}`] = setting(schema, property);
      }
    }
  };
  enter('mockpoint', schema);
  return res;
}

/** A schema without references; what stands beside a reference wins over what it refers to. */
function resolve(schema, property) {
  const { $ref, ...own } = property;
  return $ref ? { ...resolve(schema, schema.$defs[$ref.replace('#/$defs/', '')]), ...own } : own;
}

function setting(schema, property) {
  const { description, 'x-scope': scope = 'window', ...rest } = resolve(schema, property);
  const res = { ...form(schema, rest), scope };
  return { ...res, markdownDescription: unwrap(description) };
}

/** The form of a value as VS Code's settings editor understands it: choices as `enum`, no references. */
function form(schema, property) {
  const { anyOf, oneOf, description: _, ...rest } = resolve(schema, property);
  if (anyOf) {
    const [value] = anyOf.filter((it) => it.type !== 'null');
    const inner = form(schema, value);
    // Without a value the project decides.
    return { ...rest, ...inner, type: [inner.type, 'null'], enum: [...inner.enum, null], ...descriptions([...inner.markdownEnumDescriptions, 'As `mockpoint.toml` says.']), default: null };
  }
  if (oneOf) {
    return { ...rest, type: 'string', enum: oneOf.map((it) => it.const), ...descriptions(oneOf.map((it) => unwrap(it.description))) };
  }
  if (rest.type === 'object') {
    const properties = Object.fromEntries(Object.entries(rest.properties).map(([name, it]) => [name, form(schema, it)]));
    return { ...rest, properties, default: {} };
  }
  return rest;
}

function descriptions(list) {
  return { markdownEnumDescriptions: list };
}

/** Comments have line breaks where the source has; the settings editor breaks lines itself. */
function unwrap(text = '') {
  return text.replaceAll(/([^\n])\n(?!\n)/g, '$1 ');
}

/** What package.json should have. */
export function configuration() {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
  return { title: 'Mockpoint', properties: { ...settings(schema), ...OWN } };
}

if (import.meta.url === `file://${process.argv[1]}` || process.argv[1]?.endsWith('settings.mjs')) {
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const wanted = configuration();
  if (process.argv.includes('--write')) {
    manifest.contributes.configuration = wanted;
    writeFileSync(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
  } else if (JSON.stringify(manifest.contributes.configuration) !== JSON.stringify(wanted)) {
    console.error('The settings in package.json are not those of docs/settings.schema.json: run `npm run settings`.');
    process.exit(1);
  }
}
