// Drives VS Code's own workbench, as code-server shows it, in a browser: waits for what the driver extension found, then
// clicks and looks like a user.
//
//   node clicks.mjs URL WORKSPACE SHOTS
//
// SHOTS is the folder for screenshots. CODE_SERVER names the folder with node_modules of code-server and playwright-core,
// MOCKPOINT_E2E the one that the driver writes its results to. Prints one line a check and 'N passed, N failed' at the end.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { chromium } = createRequire(path.join(process.env.CODE_SERVER, 'node_modules/'))('playwright-core');
const [url, workspace, shots] = process.argv.slice(2);
mkdirSync(shots, { recursive: true });

let nPassed = 0;
let nFailed = 0;
function check(name, ok, detail = '') {
  if (ok) nPassed += 1;
  else nFailed += 1;
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}${ok || detail === '' ? '' : `: ${detail}`}`);
  return ok;
}

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: flags });
const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
page.setDefaultTimeout(30_000);

// Where the workspace happens to be is nobody's business.
const style = '.peekview-title .dirname { visibility: hidden; }';
const shot = (name) => page.screenshot({ path: path.join(shots, `${name}.png`), style });
const lines = () => page.locator('.editor-instance .view-line').evaluateAll((all) => all.map((it) => it.textContent.replaceAll('\u00a0', ' ')));

async function eventually(get, timeout = 30_000) {
  for (const end = Date.now() + timeout; Date.now() < end; ) {
    const res = await get();
    if (res) return res;
    await page.waitForTimeout(100);
  }
  return undefined;
}

/** Runs a command by its title in the palette. One that `asks` opens another input in its place. */
async function command(title, asks = false) {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input').first();
  await input.waitFor();
  await input.fill(`>${title}`);
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).first().waitFor();
  await page.keyboard.press('Enter');
  if (!asks) await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/** Takes the mouse away from everything that would show a tooltip. */
const rest = () => page.mouse.move(640, 690);

/** Opens a file by its name and goes to a line and column, counted from 1. */
async function open(file, line, column) {
  await page.keyboard.press('Control+p');
  const input = page.locator('.quick-input-widget input').first();
  await input.waitFor();
  await input.fill(file);
  // The list of the last time may still be there for a moment.
  await page.waitForTimeout(200);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().click();
  await page.locator('.tab.active', { hasText: file }).waitFor();
  await rest();
  await page.locator('.editor-instance .view-line').first().waitFor();
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input').first().waitFor();
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), `Ln ${line}, Col ${column}`);
}

/** The line and column, counted from 1, of a word in a file of the workspace, after another text in it. */
function place(file, word, before) {
  const text = readFileSync(path.join(workspace, 'src/main/java/shop/orders', file), 'utf8');
  const start = text.indexOf(word, text.indexOf(before));
  const above = text.slice(0, start).split('\n');
  return [above.length, above.at(-1).length + 1];
}

const cases = {
  async 'the driver'() {
    const file = path.join(process.env.MOCKPOINT_E2E, 'results.json');
    if (!check('the driver comes to its end', await eventually(() => existsSync(file), 240_000))) return;
    for (const it of JSON.parse(readFileSync(file, 'utf8'))) check(it.name, it.ok, it.detail);
    await page.keyboard.press('Escape');
  },

  async 'squiggle and hover'() {
    await open('OrderService.java', ...place('service/OrderService.java', 'cancel', 'public boolean'));
    await page.locator('.editor-instance .squiggly-info').first().waitFor({ state: 'attached' });
    check('a mocking point is underlined', true);
    await page.waitForTimeout(500);
    const hover = page.locator('.monaco-hover:not(.hidden)', { hasText: 'Instant.now()' }).first();
    // The workbench takes a hover away when a part of it gets the focus late. Who asks again gets one that stays.
    let shown = false;
    let stays = false;
    for (let n = 0; n < 3 && !stays; n++) {
      await command('Show or Focus Hover');
      shown = await hover.waitFor().then(() => true, () => false);
      await page.waitForTimeout(700);
      stays = await hover.isVisible();
    }
    check('its hover shows', shown);
    await shot('finding');
    check('and stays', stays);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  },

  async 'lens'() {
    // Lenses above what is on the screen are there as well, and are no longer shown.
    const lens = page.locator('.editor-instance .codelens-decoration a', { hasText: /mocking point/i }).filter({ visible: true }).first();
    if (!check('a lens shows', await lens.waitFor().then(() => true, () => false))) return;
    const peek = page.locator('.peekview-widget, .reference-zone-widget').first();
    // Lenses that are refreshed are drawn anew: a click that begins on the old one and ends on the new one is none.
    let opened = false;
    for (let n = 0; n < 3 && !opened; n++) {
      await lens.click();
      opened = await peek.waitFor({ timeout: 5_000 }).then(() => true, () => false);
    }
    check('a click on it opens the path beside the code', opened);
    await page.waitForTimeout(1000);
    await shot('lens');
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
  },

  async 'modifiers'() {
    await open('RateLimiter.java', ...place('service/RateLimiter.java', 'RECENT', 'private static final Map'));
    await command('Mockpoint: Show Modifiers of This Field');
    const peek = page.locator('.peekview-widget, .reference-zone-widget', { hasText: 'RateLimiter.java' }).first();
    check('a command shows what modifies the field at the cursor', await peek.waitFor().then(() => true, () => false));
    await page.waitForTimeout(500);
    check('in the list', (await peek.locator('.monaco-list-row').allInnerTexts()).join().includes('RECENT'), await peek.allInnerTexts());
    await shot('modifiers');
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
  },

  async 'quick fix'() {
    await open('Clicked.java', ...place('config/Clicked.java', 'limit', 'private static int'));
    const row = page.locator('.action-widget .monaco-list-row.action', { hasText: 'final' }).first();
    // A late change of focus dismisses the menu; then it is asked for again.
    const isThere = await eventually(async () => {
      await page.keyboard.press('Control+.');
      const shown = await row.waitFor({ timeout: 2500 }).then(() => true, () => false);
      await page.waitForTimeout(400);
      return shown && (await row.count()) > 0;
    });
    if (!check('the menu has the quick fix', isThere)) return;
    await shot('quick-fix');
    await row.click();
    const isFinal = await eventually(async () => (await lines()).some((it) => it.includes('private static final int limit')));
    check('choosing it changes the text', isFinal, await lines());
    await page.keyboard.press('Control+s');
    await page.locator('.tab.active:not(.dirty)', { hasText: 'Clicked.java' }).waitFor();
  },

  async 'tree'() {
    await open('OrderService.java', 1, 1);
    await page.locator('.activitybar .action-item a[aria-label^="Mockpoint"]').click();
    const pane = page.locator('.pane', { hasText: 'Mocking points' });
    const row = (text) => page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
    if (!check('the view has system state', await row('System state').waitFor().then(() => true, () => false), await pane.allInnerTexts())) return;
    check('and internal state', (await row('Internal state').count()) === 1);
    check('and fields', (await row('Modified fields').count()) === 1);
    await row('RateLimiter').click();
    await page.keyboard.press('ArrowRight');
    const method = page.locator('.sidebar .monaco-list-row[aria-level="3"]').first();
    check('a class opens to its methods', await method.waitFor().then(() => true, () => false));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(500);
    await page.locator('.sidebar .monaco-list-row[aria-level="3"]').first().click();
    check('a click opens the source', await page.locator('.tab.active', { hasText: '.java' }).waitFor().then(() => true, () => false));
    const at = await eventually(async () => (await page.locator('.tab.active').innerText()).includes('RateLimiter'));
    await rest();
    check('of the right class', at, await page.locator('.tab.active').allInnerTexts());
    await page.waitForTimeout(700);
    await shot('tree');
    await command('Mockpoint: Filter Mocking Points', true);
  },

  async 'filter'() {
    // Not the palette, which may still be there.
    const input = page.locator('.quick-input-widget input[placeholder="Instant.now"]');
    await input.waitFor();
    await input.fill('OrderNumbers');
    await page.keyboard.press('Enter');
    const labels = () => page.locator('.sidebar .monaco-list-row[aria-level="2"]').allInnerTexts();
    const only = await eventually(async () => {
      const all = await labels();
      return all.length > 0 && all.every((it) => it.includes('OrderNumbers'));
    });
    check('a filter leaves what has its text', only, await labels());
    await command('Mockpoint: Clear Filter');
    check('and can be cleared', await eventually(async () => (await labels()).some((it) => !it.includes('OrderNumbers'))));
  },

  async 'statistics'() {
    await command('Mockpoint: Show Statistics');
    const frame = page.frameLocator('iframe.webview').last().frameLocator('iframe');
    const heading = frame.locator('h1', { hasText: 'Mocking points' });
    if (!check('the page of statistics shows', await heading.waitFor().then(() => true, () => false))) return;
    check('with bars', (await frame.locator('rect').count()) > 8);
    const colour = () => frame.locator('body').evaluate((it) => getComputedStyle(it).color);
    const before = await colour();
    await page.waitForTimeout(700);
    await shot('statistics');
    await command('Preferences: Toggle between Light/Dark Themes');
    check('its colours follow the theme', await eventually(async () => (await colour()) !== before), before);
    await page.waitForTimeout(700);
    await shot('statistics-other-theme');
    await command('Preferences: Toggle between Light/Dark Themes');
  },

  async 'status'() {
    await open('OrderService.java', 1, 1);
    const item = page.locator('#status\\.languageStatus');
    await item.hover();
    await item.click();
    const text = page.locator('.hover-language-status', { hasText: 'mocking points' }).first();
    check('the status item counts', await text.waitFor().then(() => true, () => false));
    await page.waitForTimeout(400);
    await shot('status');
    await page.keyboard.press('Escape');
  },

  async 'walkthrough'() {
    await command('Welcome: Open Walkthrough', true);
    const input = page.locator('.quick-input-widget input[placeholder="Select a walkthrough to open"]');
    await input.waitFor();
    await input.fill('Mocking points of your service');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Mocking points of your service' }).first().waitFor();
    await page.keyboard.press('Enter');
    const step = page.locator('.getting-started-step', { hasText: 'Read a finding' }).first();
    check('the walkthrough shows', await step.waitFor().then(() => true, () => false));
    await page.waitForTimeout(700);
    await shot('walkthrough');
  },
};

try {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.locator('.monaco-workbench').waitFor({ timeout: 90_000 });
  for (const [name, run] of Object.entries(cases)) {
    try {
      await run();
    } catch (err) {
      check(name, false, err.message.split('\n').slice(0, 4).join(' '));
      await shot(`failed-${name.replaceAll(' ', '-')}`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    }
  }
} finally {
  await browser.close();
}
console.log(`${nPassed} passed, ${nFailed} failed`);
process.exitCode = nFailed === 0 ? 0 : 1;
