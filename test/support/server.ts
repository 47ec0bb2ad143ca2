import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ApiClient } from './api-client.js';
import { eventually } from './eventually.js';
import { ServerStores } from './server-stores.js';

/** Options of a server; absent ones have the product's defaults. */
export interface ServerOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Absent: a new temporary directory, removed when the server stops. */
  readonly directory?: string;
  /** Absent: new stores, closed when the server stops. */
  readonly stores?: ServerStores;
}

const entry = resolve('dist/src/main.js');

/** Starts the product's process on a data directory without waiting until it is ready. Needs `npm run build:tests`. */
export function launchServer(
  directory: string,
  environment: Readonly<Record<string, string>>,
  program: readonly string[] = [entry],
): ChildProcess {
  return spawn(process.execPath, program, {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: directory,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
      // On a machine that runs several suites at once, a query takes longer than in production.
      QUERY_TIMEOUT_SECONDS: '60',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The product as its users start it: a separate process on a free port. */
export class TestServer {
  private constructor(
    private readonly process: ChildProcess,
    /** Address of the server, without the path of the API. */
    readonly site: string,
    readonly directory: string,
    private readonly cleanUp: () => Promise<void>,
    /** All lines of its log. */
    readonly log: readonly string[],
  ) {}

  /** Starts a server and waits until it answers requests. Needs `npm run build:tests`. */
  static async start({ environment = {}, directory, stores }: ServerOptions = {}): Promise<TestServer> {
    const folder = directory ?? (await mkdtemp(join(tmpdir(), 'palimpsest-')));
    const opened = stores ?? (await ServerStores.open());
    const child = launchServer(folder, { ...opened.environment, ...environment });
    const log: string[] = [];
    const cleanUp = async (): Promise<void> => {
      if (stores === undefined) await opened.close();
      if (directory === undefined) await rm(folder, { recursive: true, force: true });
    };
    return new TestServer(child, await readySite(child, log), folder, cleanUp, log);
  }

  /** Resolves when its read models have followed the log, so that it accepts writes. */
  async ready(): Promise<void> {
    const status = async (): Promise<number> => (await fetch(`${this.site}/health/ready`)).status;
    await eventually(status, (answered) => answered === 200);
  }

  /** A client with the credentials that the first start wrote. */
  async owner(): Promise<ApiClient> {
    const file = await readFile(join(this.directory, 'owner.zuliprc'), 'utf8');
    const email = /^email\s*=\s*(.+)$/m.exec(file)?.[1] ?? '';
    const key = /^key\s*=\s*(.+)$/m.exec(file)?.[1] ?? '';
    return new ApiClient(this.site, { email, key });
  }

  /** Creates an account, and returns a client that is logged in to it, with its id. */
  async createUser(
    owner: ApiClient,
    name: string,
  ): Promise<{ readonly id: number; readonly client: ApiClient }> {
    const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`;
    const password = `secret-of-${name}`;
    const { user_id: id } = await owner.must('post', 'users', { email, password, full_name: name });
    const anonymous = new ApiClient(this.site, null);
    const { api_key: key } = await anonymous.must('post', 'fetch_api_key', { username: email, password });
    return { id: id as number, client: new ApiClient(this.site, { email, key: key as string }) };
  }

  /** Creates a generic bot, and returns a client for it, with its id. */
  async createBot(
    owner: ApiClient,
    name: string,
  ): Promise<{ readonly id: number; readonly client: ApiClient }> {
    const short_name = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const made = await owner.must('post', 'bots', { full_name: name, short_name });
    const { user } = await owner.must('get', `users/${String(made['user_id'])}`);
    const credentials = { email: user.email as string, key: made['api_key'] as string };
    return { id: made['user_id'] as number, client: new ApiClient(this.site, credentials) };
  }

  /** What went wrong inside of it, as logged: that it took no writes while it lagged is as it should be. */
  get failures(): readonly string[] {
    return this.log.filter(
      (line) => /"level":[56]0/.test(line) && !line.includes('cannot take this request now'),
    );
  }

  /** The id of the server's process. */
  get pid(): number {
    return this.process.pid!;
  }

  get exitCode(): number | null {
    return this.process.exitCode;
  }

  /** Kills it (SIGKILL), as a power failure would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Stops the process (SIGSTOP) until it is resumed. */
  pause(): void {
    this.process.kill('SIGSTOP');
  }

  goOn(): void {
    this.process.kill('SIGCONT');
  }

  /** Stops it like an operator, and removes its temporary files. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
    await this.cleanUp();
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }
}

/** The address of a launched server, once it is ready; its log lines are added to `log`. */
export async function readySite(child: ChildProcess, log: string[]): Promise<string> {
  child.stderr?.on('data', (data: Buffer) => log.push(data.toString()));
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The server ended before it was ready:\n${log.join('\n')}`);
  });
  const ready = new Promise<string>((found) => {
    lines.on('line', (line) => {
      log.push(line);
      const site = /"address":"(http:[^"]+)"/.exec(line)?.[1];
      if (site !== undefined) found(site);
    });
  });
  ended.catch(() => undefined);
  return Promise.race([ready, ended]);
}
