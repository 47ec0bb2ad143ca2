import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import {
  askRunningServer,
  listenForControl,
  type ControlSocket,
} from '../../src/operations/control-socket.js';

let directory: string;
let control: ControlSocket | null = null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-control-'));
});

afterEach(async () => {
  await control?.close();
  control = null;
  await rm(directory, { recursive: true, force: true });
});

describe('the control socket', () => {
  it('takes a command to the running server and brings its sentence back', async () => {
    control = await listenForControl(directory, { 'say when': () => Promise.resolve('Now.') });
    await expect(askRunningServer(directory, 'say when')).resolves.toEqual({ ok: true, message: 'Now.' });
  });

  it('brings back why a command failed', async () => {
    control = await listenForControl(directory, { fail: () => Promise.reject(new Error('No.')) });
    await expect(askRunningServer(directory, 'fail')).resolves.toEqual({ ok: false, message: 'No.' });
  });

  it.each(['other', 'constructor', ''])('knows no command %j', async (command) => {
    control = await listenForControl(directory, {});
    await expect(askRunningServer(directory, command)).resolves.toMatchObject({ ok: false });
  });

  it('can be opened by nobody else', async () => {
    control = await listenForControl(directory, {});
    expect((await stat(join(directory, 'control.sock'))).mode & 0o777).toBe(0o600);
  });

  it('finds no server where none runs, and none where one died', async () => {
    await expect(askRunningServer(directory, 'any')).resolves.toBeNull();
    control = await listenForControl(directory, {});
    await control.close();
    await expect(askRunningServer(directory, 'any')).resolves.toBeNull();
  });

  it('takes the place of what a dead server left', async () => {
    const dead = await listenForControl(directory, {});
    control = await listenForControl(directory, { 'say when': () => Promise.resolve('Now.') });
    await expect(askRunningServer(directory, 'say when')).resolves.toMatchObject({ ok: true });
    await dead.close();
  });

  it('answers a line that is not JSON with an error, and disconnects at a line without an end', async () => {
    control = await listenForControl(directory, {});
    const socket = createConnection(join(directory, 'control.sock'));
    socket.write('hello\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({ ok: false });
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    socket.write('x'.repeat(100_000));
    await closed;
  });

  it('takes what the budgets of cases allow, and says when a request is too long', async () => {
    control = await listenForControl(directory, {
      measure: ({ text }) => Promise.resolve(Array.from(text as string).length),
    });
    const measured = (text: string): Promise<unknown> =>
      askRunningServer(directory, { command: 'measure', parameters: { text } });
    const most = '𝄞'.repeat(budgets.caseDescription.max);
    expect(await measured(most)).toEqual({ ok: true, message: budgets.caseDescription.max });
    const refusal = { ok: false, message: expect.stringContaining('at most 65536 bytes') };
    expect(await measured('x'.repeat(65_536))).toEqual(refusal);
    expect(await measured('x'.repeat(5_000_000))).toEqual(refusal);
    expect(await measured('short')).toEqual({ ok: true, message: 5 });
  });

  it('is found in a directory however long its path is', async () => {
    const long = join(directory, 'x'.repeat(120));
    await mkdir(long);
    control = await listenForControl(long, { greet: () => Promise.resolve('Hello') });
    expect(await askRunningServer(long, 'greet')).toEqual({ ok: true, message: 'Hello' });
    expect(await readdir(long)).toEqual(['control.sock']);
    await control.close();
    control = null;
    expect(await readdir(long)).toEqual([]);
    expect(await askRunningServer(long, 'greet')).toBeNull();
  });
});
