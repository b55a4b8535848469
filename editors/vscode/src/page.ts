// The statistics as a page. Knows nothing of VS Code but the names of its colours.

/** What docs/stats.schema.json describes, as far as the page shows it. */
export interface Stats {
  tool: { version: string };
  precision: string;
  world: string;
  tier: string;
  total: Total;
  paper: { points: Record<string, number>; mocking_points: number; reads: Reads; fields: Fields; shares: Shares };
}

interface Total {
  statistics: {
    files: number;
    lines: number;
    files_with_errors: number;
    types: number;
    methods: number;
    points: Record<string, number>;
    mocking_points: number;
    invoked_methods: number;
    reads: Reads;
    fields: Fields;
    components: { component: string; kind: string; points: number }[];
    side_effects: number;
  };
  shares: Shares;
}

interface Reads {
  all: number;
  intra: number;
  inter: number;
}

interface Fields {
  all: number;
  with_modifier: number;
  modified: number;
}

interface Shares {
  points_of_invoked: number | null;
  system_filtered: number | null;
  internal_filtered: number | null;
}

const NAMES: Record<string, string> = { system: 'System', internal: 'Internal', external: 'External', 'white-list': 'White list' };

/** A page without scripts that loads nothing. `nonce` lets its style through. */
export function page(stats: Stats, nonce: string): string {
  const { statistics: it, shares } = stats.total;
  const parts = [
    `<h1>Mocking points</h1>`,
    `<p class="facts">${fact(it.mocking_points, 'mocking points')}${fact(it.methods, 'methods')}${fact(it.types, 'types')}` +
      `${fact(it.files, 'files')}${fact(it.lines, 'lines')}${fact(it.side_effects, 'lost side effects')}</p>`,
    `<h2>By kind of state</h2>`,
    bars(Object.entries(NAMES).map(([key, name]) => [name, it.points[key] ?? 0])),
    `<h2>System state</h2>`,
    bars([
      ['All reads', it.reads.all],
      ['Mocked, in the method alone', it.reads.intra],
      ['Mocked, by way of others', it.reads.inter],
    ]),
    `<h2>Internal state</h2>`,
    bars([
      ['Fields that could hold state', it.fields.all],
      ['With a modifier', it.fields.with_modifier],
      ['Modified', it.fields.modified],
    ]),
  ];
  if (it.components.length > 0) {
    parts.push(`<h2>External state</h2>`, bars(it.components.map((one) => [one.component, one.points])));
  }
  parts.push(
    `<h2>Beside the paper</h2>`,
    `<table><thead><tr><th></th><th>Here</th><th>Paper</th></tr></thead><tbody>`,
    row('Mocking points for each called method', shares.points_of_invoked, stats.paper.shares.points_of_invoked),
    row('Reads of system state that need no mocking', shares.system_filtered, stats.paper.shares.system_filtered),
    row('Fields that need no mocking', shares.internal_filtered, stats.paper.shares.internal_filtered),
    `</tbody></table>`,
    `<p class="foot">mockpoint ${escape(stats.tool.version)}, precision ${escape(stats.precision)}, world ${escape(stats.world)}, ` +
      `tier ${escape(stats.tier)}${it.files_with_errors > 0 ? `, ${it.files_with_errors} files with syntax errors` : ''}</p>`,
  );
  return frame(parts.join('\n'), nonce);
}

function frame(body: string, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mocking points</title>
<style nonce="${nonce}">
body { font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); color: var(--vscode-foreground); max-width: 46em; padding: 0 1.5em 2em; }
h1 { font-weight: 400; font-size: 1.7em; }
h2 { font-weight: 600; font-size: 1.1em; margin: 1.8em 0 0.6em; }
.facts { display: flex; flex-wrap: wrap; gap: 0.6em 2em; }
.facts b { display: block; font-size: 1.5em; font-weight: 400; }
.facts span, .foot, th { color: var(--vscode-descriptionForeground); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 400; }
td, th { padding: 0.25em 0.6em 0.25em 0; border-bottom: 1px solid var(--vscode-widget-border, transparent); }
td.name { width: 17em; }
td.number, th + th { text-align: right; width: 5em; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: 0.8em; }
rect { fill: var(--vscode-charts-blue); }
.foot { margin-top: 2em; }
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function fact(n: number, what: string): string {
  return `<span><b>${n.toLocaleString('en')}</b>${what}</span>`;
}

/** Bars of a common scale. Their lengths are attributes, since styles of their own are not let through. */
function bars(rows: [string, number][]): string {
  const most = Math.max(1, ...rows.map(([, n]) => n));
  const lines = rows.map(
    ([name, n]) =>
      `<tr><td class="name">${escape(name)}</td><td><svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">` +
      `<rect width="${((100 * n) / most).toFixed(2)}" height="1"/></svg></td><td class="number">${n.toLocaleString('en')}</td></tr>`,
  );
  return `<table><tbody>${lines.join('')}</tbody></table>`;
}

function row(name: string, here: number | null, paper: number | null): string {
  return `<tr><td>${escape(name)}</td><td class="number">${percent(here)}</td><td class="number">${percent(paper)}</td></tr>`;
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
