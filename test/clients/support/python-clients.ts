import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * The folder of a Python virtual environment that holds the clients which people already use: `zulip`, `zulip-bots` and
 * `zulip-term`. Undefined: they are not tried.
 */
export const pythonClients = process.env['PYTHON_CLIENTS'];

/** What to put behind a suite's name, so that nobody takes it for one that ran. */
export const notRun =
  pythonClients === undefined ? ' (NOT RUN: PYTHON_CLIENTS names no virtual environment)' : '';

/** Where a program of the virtual environment is. */
export function pythonProgram(name: string): string {
  return join(pythonClients ?? '', 'bin', name);
}

/** Runs a program to its end and answers what it printed. @throws Error when it fails */
export async function run(program: string, parameters: readonly string[]): Promise<string> {
  const { stdout } = await execute(pythonProgram(program), [...parameters], { timeout: 240_000 });
  return stdout;
}

/** Whether zulip-terminal is installed, and what it is driven with. */
export async function canDriveTerminal(): Promise<boolean> {
  try {
    await access(pythonProgram('zulip-term'));
    await execute('tmux', ['-V']);
    return true;
  } catch {
    return false;
  }
}

/** A program that runs until it is ended. */
export class RunningProgram {
  private constructor(
    private readonly process: ChildProcess,
    readonly output: string[],
  ) {}

  static start(program: string, parameters: readonly string[]): RunningProgram {
    const child = spawn(pythonProgram(program), [...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: string[] = [];
    child.stdout.on('data', (data: Buffer) => output.push(data.toString()));
    child.stderr.on('data', (data: Buffer) => output.push(data.toString()));
    return new RunningProgram(child, output);
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}

/** A terminal of its own, whose screen can be read and whose keys can be pressed. */
export class Terminal {
  private constructor(private readonly socket: string) {}

  /** @param socket path of a file that is made for it */
  static async start(socket: string, command: string): Promise<Terminal> {
    const terminal = new Terminal(socket);
    await terminal.tmux('-f', '/dev/null', 'new-session', '-d', '-x', '150', '-y', '45', command);
    return terminal;
  }

  async screen(): Promise<string> {
    return this.tmux('capture-pane', '-p');
  }

  async press(...keys: readonly string[]): Promise<void> {
    await this.tmux('send-keys', ...keys);
  }

  async type(text: string): Promise<void> {
    await this.tmux('send-keys', '-l', text);
  }

  async end(): Promise<void> {
    await this.tmux('kill-server');
  }

  private async tmux(...parameters: readonly string[]): Promise<string> {
    const environment = { ...process.env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
    const options = { env: environment, timeout: 240_000 };
    return (await execute('tmux', ['-S', this.socket, ...parameters], options)).stdout;
  }
}
