import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskProcess } from '../../src/runtime/task-process.js';
import { eventually } from '../support/eventually.js';
import type { TestTask } from '../support/task-process-child.js';

const entry = join('dist', 'test', 'support', 'task-process-child.js');
const none = Buffer.alloc(0);

let failures: string[];
let tasks: TaskProcess<TestTask, number>;

function started(timeout = 60_000): TaskProcess<TestTask, number> {
  return new TaskProcess({
    entry,
    arguments: [],
    timeout,
    idle: 60_000,
    noteFailure: (reason) => failures.push(reason),
  });
}

beforeEach(() => {
  failures = [];
  tasks = started();
});

afterEach(() => tasks.close());

describe('A process for tasks', () => {
  it('gets all bytes of a task, and performs one task after another in one process', async () => {
    const [count, first, second] = await Promise.all([
      tasks.run('count bytes', Buffer.alloc(2_500_000)),
      tasks.run('tell pid', none),
      tasks.run('tell pid', none),
    ]);
    expect(count).toBe(2_500_000);
    expect(second).toBe(first);
  });

  it('is replaced after it ended between two tasks', async () => {
    const pid = (await tasks.run('tell pid', none))!;
    process.kill(pid, 'SIGKILL');
    expect(await tasks.run('tell pid', none)).not.toBe(pid);
    expect(failures).toEqual([]);
  });

  it('is replaced after a task that made it larger', async () => {
    const pid = await tasks.run('grow', none);
    expect(await tasks.run('tell pid', none)).not.toBe(pid);
  });

  it('has no result of a task that makes it crash, and performs the next one', async () => {
    expect(await tasks.run({ end: 'SIGSEGV' }, none)).toBeNull();
    expect(failures).toEqual([expect.stringContaining('SIGSEGV')]);
    expect(await tasks.run('tell pid', none)).toBeGreaterThan(0);
  });

  it('fails if it is killed from outside, which says nothing about the task', async () => {
    await expect(tasks.run({ end: 'SIGKILL' }, none)).rejects.toThrow('SIGKILL');
    expect(await tasks.run('tell pid', none)).toBeGreaterThan(0);
  });

  it('fails if a task hangs', async () => {
    const impatient = started(400);
    await expect(impatient.run('wait', none)).rejects.toThrow(/SIGKILL/);
    await impatient.close();
  });

  it('refuses what is under way and what follows when it is closed', async () => {
    const running = tasks.run('wait', none).catch((error: unknown) => error);
    const queued = tasks.run('tell pid', none).catch((error: unknown) => error);
    await tasks.close();
    expect(await running).toMatchObject({ row: 'unavailable' });
    expect(await queued).toMatchObject({ row: 'unavailable' });
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux(
    'has a low priority with all its threads, and ends before the server if memory runs out',
    async () => {
      const pid = (await tasks.run('tell pid', none))!;
      const folder = `/proc/${pid}/task`;
      const nices = readdirSync(folder).map((thread) =>
        Number(
          readFileSync(join(folder, thread, 'stat'), 'utf8')
            .split(') ')[1]!
            .split(' ')[16],
        ),
      );
      expect(new Set(nices)).toEqual(new Set([10]));
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    },
  );

  onLinux('leaves no process behind when it is closed', async () => {
    const pid = (await tasks.run('tell pid', none))!;
    await tasks.close();
    await eventually(
      () => Promise.resolve(readdirSync('/proc').includes(String(pid))),
      (isThere) => !isThere,
    );
  });
});
