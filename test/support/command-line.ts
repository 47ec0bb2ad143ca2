import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** The result of a run of the command-line tool. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of JSON that a command printed. */
export interface JsonLine {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into results of every shape
  readonly [field: string]: any;
}

const entry = resolve('dist/src/cli/main.js');

/** Runs the command-line tool like its users, with one environment. Needs `npm run build:tests`. */
export class CommandLine {
  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  /** Runs the tool. Failures are returned. */
  run(...words: readonly string[]): Promise<Outcome> {
    const env = { PATH: process.env['PATH'] ?? '', ...this.environment };
    return new Promise((done) => {
      const options = { env, maxBuffer: 256 * 1024 * 1024 };
      execFile(process.execPath, [entry, ...words], options, (error, stdout, stderr) => {
        done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
      });
    });
  }

  /** The output of the tool. Throws unless it succeeds. */
  async must(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code !== 0) throw new Error(`palimpsest ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** The output with `--json`, one value per line. */
  async json(...words: readonly string[]): Promise<readonly JsonLine[]> {
    const output = await this.must(...words, '--json');
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonLine);
  }
}
