import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../../support/api-client.js';

/** A program of the build that serves HTTP and says on its standard output `"address":"http:…"` when it is ready. */
export interface ServerProgram {
  /** Relative to this module's folder in the build. */
  readonly entry: string;
  readonly nodeOptions?: readonly string[];
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its output goes, into a file `output`: reading it as it comes would take the machine's time. */
  readonly folder: string;
}

const running = new Set<ChildProcess>();

// Whoever ends the bench ends what it has started.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A server as a process of its own. */
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

  /** Ends it as an operator does. */
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

/** Starts the product on a data directory, as its users start it, but that nobody's rate is limited. */
export function startProduct(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return ServerProcess.start({
    entry: '../../../src/main.js',
    nodeOptions: ['--single-threaded-gc', '--max-semi-space-size=16', '--min-semi-space-size=16'],
    folder,
    environment: { DATA_DIR: folder, PORT: '0', RATE_LIMIT_PER_MINUTE: '0', ...environment },
  });
}

/** A client with the credentials that the product's first start wrote. */
export async function ownerOf({ site }: ServerProcess, folder: string): Promise<ApiClient> {
  const file = await readFile(join(folder, 'owner.zuliprc'), 'utf8');
  const email = /^email\s*=\s*(.+)$/m.exec(file)?.[1] ?? '';
  const key = /^key\s*=\s*(.+)$/m.exec(file)?.[1] ?? '';
  return new ApiClient(site, { email, key });
}

/** The header that a client authenticates with. */
export function authorizationOf({ credentials }: ApiClient): string {
  return authorizationFor(credentials ?? { email: '', key: '' });
}

/** The header of somebody whose credentials are known. */
export function authorizationFor({ email, key }: { readonly email: string; readonly key: string }): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}
