import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { DEBUG_VARIABLE, type Discovery, type Surroundings, discover } from '../src/discovery';

/** Looks for the server where `programs` are. */
function find(programs: string[], over: Partial<Surroundings> = {}): Discovery {
  return discover({
    isTrusted: true,
    setting: '',
    folder: '/ws',
    home: '/home/ann',
    extension: '/ext',
    platform: 'linux',
    env: { PATH: '/usr/bin:/opt/bin' },
    isProgram: (file) => programs.includes(file),
    ...over,
  });
}

const BUNDLED = '/ext/server/mockpoint';
const INSTALLED = '/opt/bin/mockpoint';

test('a setting wins over all else', () => {
  const env = { PATH: '/opt/bin', [DEBUG_VARIABLE]: '/debug' };
  assert.deepEqual(find(['/mine', '/debug', BUNDLED, INSTALLED], { setting: '/mine', env }), { file: '/mine', origin: 'setting' });
});

test('a setting that names no program is a problem, not a reason to take another program', () => {
  const res = find([BUNDLED, INSTALLED], { setting: '/mine' });
  assert.ok('problem' in res && res.problem.includes('/mine'));
});

test('a setting may speak of the home folder and of the workspace', () => {
  assert.deepEqual(find(['/home/ann/bin/mp'], { setting: '~/bin/mp' }), { file: '/home/ann/bin/mp', origin: 'setting' });
  assert.deepEqual(find(['/ws/bin/mp'], { setting: '${workspaceFolder}/bin/mp' }), { file: '/ws/bin/mp', origin: 'setting' });
  assert.deepEqual(find(['/ws/bin/mp'], { setting: 'bin/mp' }), { file: '/ws/bin/mp', origin: 'setting' });
  assert.ok('problem' in find(['/ws/bin/mp'], { setting: '${workspaceFolder}/bin/mp', folder: undefined }));
});

test('then comes what a developer says, the bundled server, the PATH', () => {
  const env = { PATH: '/usr/bin:/opt/bin', [DEBUG_VARIABLE]: '/debug' };
  assert.deepEqual(find(['/debug', BUNDLED, INSTALLED], { env }), { file: '/debug', origin: 'environment' });
  assert.deepEqual(find([BUNDLED, INSTALLED], { env }), { file: BUNDLED, origin: 'bundled' });
  assert.deepEqual(find([INSTALLED], { env }), { file: INSTALLED, origin: 'PATH' });
  assert.ok('problem' in find([]));
});

test('where the workspace is not trusted only the bundled server runs', () => {
  const env = { PATH: '/opt/bin', [DEBUG_VARIABLE]: '/debug' };
  const over = { isTrusted: false, setting: '/mine', env };
  assert.deepEqual(find(['/mine', '/debug', BUNDLED, INSTALLED], over), { file: BUNDLED, origin: 'bundled' });
  assert.ok('problem' in find(['/mine', '/debug', INSTALLED], over));
});

test('a relative folder on the PATH is not looked into: it would be one of the workspace', () => {
  assert.ok('problem' in find(['bin/mockpoint', path.resolve('bin/mockpoint'), 'mockpoint'], { env: { PATH: 'bin::.' } }));
});

test('programs of Windows end in .exe', () => {
  const file = path.join('/ext', 'server', 'mockpoint.exe');
  assert.deepEqual(find([file], { platform: 'win32' }), { file, origin: 'bundled' });
});
