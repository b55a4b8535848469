// Bundles the extension, and with --tests the unit tests as well.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';

const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'], logLevel: 'warning' };
const isDebug = process.argv.includes('--debug');

await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', minify: !isDebug, sourcemap: isDebug });
if (process.argv.includes('--tests')) {
  const tests = readdirSync('test').filter((it) => it.endsWith('.test.ts')).map((it) => `test/${it}`);
  await build({ ...common, entryPoints: tests, outdir: 'dist/test' });
}
