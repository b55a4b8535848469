import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Stats, page } from '../src/page';

const shares = { points_of_invoked: 0.25, system_filtered: null, internal_filtered: 0.5 };
const points = { system: 3, internal: 2, external: 1, 'white-list': 0 };
const STATS: Stats = {
  tool: { version: '1.2.3' },
  precision: 'refined',
  world: 'application',
  tier: 'core',
  total: {
    statistics: {
      files: 7,
      lines: 12345,
      files_with_errors: 2,
      types: 6,
      methods: 20,
      points,
      mocking_points: 5,
      invoked_methods: 20,
      reads: { all: 4, intra: 2, inter: 1 },
      fields: { all: 8, with_modifier: 6, modified: 4 },
      components: [{ component: '<script>alert(1)</script>', kind: 'db', points: 1 }],
      side_effects: 1,
    },
    shares,
  },
  paper: { points, mocking_points: 9, reads: { all: 9, intra: 1, inter: 1 }, fields: { all: 9, with_modifier: 5, modified: 1 }, shares },
};

test('the page has the counts', () => {
  const html = page(STATS, 'abc');
  for (const it of ['12,345', 'mockpoint 1.2.3', '25.0 %', '2 files with syntax errors', 'White list']) {
    assert.ok(html.includes(it), it);
  }
});

test('the longest bar is full, and the others are parts of it', () => {
  const widths = [...page(STATS, 'abc').matchAll(/<rect width="([0-9.]+)"/g)].map((it) => it[1]);
  assert.deepEqual(widths.slice(0, 4), ['100.00', '66.67', '33.33', '0.00']);
});

test('the page loads nothing, runs nothing, and takes its colours from the theme', () => {
  const html = page(STATS, 'abc');
  assert.ok(html.includes(`default-src 'none'; style-src 'nonce-abc'`));
  assert.ok(!/<script|src=|href=|url\(|https?:|style="/.test(html));
  assert.ok(!/#[0-9a-f]{3,8}\b/i.test(html.replaceAll(/&#?\w+;/g, '')));
  assert.ok(html.includes('&lt;script&gt;'));
});
