// Draws images/icon.svg to images/icon.png, which is what the marketplace takes. It needs a Chromium:
//
//   CHROMIUM=/usr/bin/chromium node scripts/icon.mjs

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const images = fileURLToPath(new URL('../images/', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'icon-'));
try {
  const html = join(work, 'icon.html');
  writeFileSync(html, `<style>html,body{margin:0;background:transparent}svg{display:block}</style>${readFileSync(join(images, 'icon.svg'), 'utf8')}`);
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--default-background-color=00000000', '--window-size=256,256'];
  const args = [...flags, `--user-data-dir=${join(work, 'profile')}`, `--screenshot=${join(images, 'icon.png')}`, `file://${html}`];
  execFileSync(process.env.CHROMIUM ?? 'chromium', args, { stdio: 'ignore', timeout: 60_000 });
} finally {
  rmSync(work, { recursive: true, force: true });
}
