import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../../support/api-client.js';

/** A program of the build that serves HTTP and prints `"address":"http:…"` when it is ready. */
export interface ServerProgram {
  /** Relative to the folder of this module in the build. */
  readonly entry: string;
  readonly nodeOptions?: readonly string[];
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder of the file `output` for the program's output: reading it from a pipe would take CPU time. */
  readonly folder: string;
}

const running = new Set<ChildProcess>();

// Stops the servers when the benchmark is stopped.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A server in a separate process. */
export class ServerProcess {
  private constructor(
    private readonly process: ChildProcess,
    readonly site: string,
  ) {}

  /** Starts a program and waits until it is ready. */
  static async start(program: ServerProgram): Promise<ServerProcess> {
    const output = join(program.folder, 'output');
    await using file = await open(output, 'w');
    const entry = fileURLToPath(new URL(program.entry, import.meta.url));
    const child = spawn(
      process.execPath,
      [...(program.nodeOptions ?? []), entry, ...(program.arguments ?? [])],
      {
        env: { PATH: process.env['PATH'] ?? '', ...program.environment },
        stdio: ['ignore', file.fd, 'inherit'],
      },
    );
    running.add(child);
    child.once('exit', () => running.delete(child));
    return new ServerProcess(child, await readySite(child, output));
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** Stops it as an operator does. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }
}

async function readySite(child: ChildProcess, output: string): Promise<string> {
  for (;;) {
    const text = await readFile(output, 'utf8');
    const site = /"address":"(http:[^"]+)"/.exec(text)?.[1];
    if (site !== undefined) return site;
    if (child.exitCode !== null) throw new Error(`The server ended before it was ready:\n${text}`);
    await pause(20);
  }
}

/** Starts the product on a data directory as the image and the systemd unit do, but without rate limits. */
export function startProduct(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return ServerProcess.start({
    entry: '../../../src/main.js',
    nodeOptions: ['--single-threaded-gc', '--max-semi-space-size=16', '--min-semi-space-size=16'],
    folder,
    environment: {
      DATA_DIR: folder,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      MALLOC_ARENA_MAX: '2',
      ...environment,
    },
  });
}

/** A client with the owner's credentials, which the product's first start wrote. */
export async function ownerOf({ site }: ServerProcess, folder: string): Promise<ApiClient> {
  const file = await readFile(join(folder, 'owner.zuliprc'), 'utf8');
  const email = /^email\s*=\s*(.+)$/m.exec(file)?.[1] ?? '';
  const key = /^key\s*=\s*(.+)$/m.exec(file)?.[1] ?? '';
  return new ApiClient(site, { email, key });
}

/** The authorization header of a client. */
export function authorizationOf({ credentials }: ApiClient): string {
  return authorizationFor(credentials ?? { email: '', key: '' });
}

/** The authorization header for credentials. */
export function authorizationFor({ email, key }: { readonly email: string; readonly key: string }): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}
