import { serveTasks } from '../../src/runtime/serve-tasks.js';

/** What the child process of the tests of `TaskProcess` does. */
export type TestTask = 'count bytes' | 'tell pid' | 'wait' | 'grow' | { readonly end: NodeJS.Signals };

const grown: Buffer[] = [];

serveTasks(
  async (task: TestTask, bytes: Uint8Array) => {
    if (typeof task === 'object') process.kill(process.pid, task.end);
    if (task === 'grow') grown.push(Buffer.alloc(100_000_000, 1));
    if (task === 'wait' || typeof task === 'object') await new Promise(() => undefined);
    return task === 'count bytes' ? bytes.length : process.pid;
  },
  { seconds: 10, bytes: 1_000_000_000 },
);
