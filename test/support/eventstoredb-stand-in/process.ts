import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { StandInCounts } from './stand-in.js';

const entry = resolve('dist/test/support/eventstoredb-stand-in/main.js');

/** The stand-in for EventStoreDB as a separate process with its own log. Needs `npm run build:tests`. */
export class EventStoreDbProcess {
  private constructor(
    private readonly directory: string,
    private child: ChildProcess,
    /** For the client; the same after a restart. */
    readonly url: string,
  ) {}

  static async start(): Promise<EventStoreDbProcess> {
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-log-'));
    const { child, url } = await launch(directory, '0');
    return new EventStoreDbProcess(directory, child, url);
  }

  /** Stops the process (SIGSTOP) until it is resumed. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  goOn(): void {
    this.child.kill('SIGCONT');
  }

  /** The requests so far. */
  async counts(): Promise<StandInCounts> {
    const answered = once(this.child, 'message');
    this.child.send('counts');
    const [counts] = (await answered) as [StandInCounts];
    return counts;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }

  /** Starts it again after it has ended, on the same port and with the same log. */
  async restart(): Promise<void> {
    ({ child: this.child } = await launch(this.directory, new URL(this.url).port));
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL');
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function launch(
  directory: string,
  port: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [entry, '--directory', directory, '--port', port], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [url] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, url };
}
