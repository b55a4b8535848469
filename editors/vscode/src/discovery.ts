// Where the server is. Knows nothing of VS Code, so that it can be tested alone.

import * as path from 'node:path';

/** The environment variable of whoever works on the server: a path that wins over all else but the setting. */
export const DEBUG_VARIABLE = '__MOCKPOINT_SERVER_DEBUG';

/** What the search depends on. */
export interface Surroundings {
  /** Whether the user trusts the workspace. Settings of one that is not trusted decide nothing. */
  isTrusted: boolean;
  /** The setting `mockpoint.server.path`. */
  setting: string | undefined;
  /** The first folder of the workspace. */
  folder: string | undefined;
  home: string;
  extension: string;
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  isProgram(file: string): boolean;
}

export type Origin = 'setting' | 'environment' | 'bundled' | 'PATH';

export type Discovery = { file: string; origin: Origin } | { problem: string };

/** The program to start. A setting that names no program is a problem, and nothing else is taken in its place. */
export function discover(at: Surroundings): Discovery {
  const name = at.platform === 'win32' ? 'mockpoint.exe' : 'mockpoint';
  const bundled = path.join(at.extension, 'server', name);
  if (!at.isTrusted) {
    return at.isProgram(bundled)
      ? { file: bundled, origin: 'bundled' }
      : { problem: 'This workspace is not trusted, so only the server that comes with the extension may run, and this package has none.' };
  }
  const setting = at.setting?.trim();
  if (setting) {
    const file = expand(setting, at);
    if (file === undefined) {
      return { problem: `The setting mockpoint.server.path is "${setting}", but no folder is open.` };
    }
    return at.isProgram(file)
      ? { file, origin: 'setting' }
      : { problem: `The setting mockpoint.server.path names "${file}", which is no program.` };
  }
  const debug = at.env[DEBUG_VARIABLE];
  if (debug && at.isProgram(debug)) {
    return { file: debug, origin: 'environment' };
  }
  if (at.isProgram(bundled)) {
    return { file: bundled, origin: 'bundled' };
  }
  const found = onPath(name, at);
  return found === undefined
    ? { problem: 'This package has no server for this platform, and there is no program "mockpoint" on the PATH.' }
    : { file: found, origin: 'PATH' };
}

/** `~/` and `${workspaceFolder}` stand for what they say; undefined if there is no such folder. */
function expand(setting: string, at: Surroundings): string | undefined {
  let res = setting;
  if (res === '~' || res.startsWith('~/') || res.startsWith('~\\')) {
    res = path.join(at.home, res.slice(1));
  }
  if (res.includes('${workspaceFolder}')) {
    if (at.folder === undefined) {
      return undefined;
    }
    res = res.replaceAll('${workspaceFolder}', at.folder);
  }
  return path.isAbsolute(res) || at.folder === undefined ? res : path.join(at.folder, res);
}

function onPath(name: string, at: Surroundings): string | undefined {
  const variable = Object.keys(at.env).find((it) => it === 'PATH' || (at.platform === 'win32' && it.toUpperCase() === 'PATH'));
  const folders = (variable === undefined ? '' : (at.env[variable] ?? '')).split(at.platform === 'win32' ? ';' : ':');
  // A relative folder on the PATH would be one of the workspace.
  return folders.filter((it) => path.isAbsolute(it)).map((it) => path.join(it, name)).find((it) => at.isProgram(it));
}
