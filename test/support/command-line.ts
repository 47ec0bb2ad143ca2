import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** What came of a run of the command-line tool. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line that a command printed for programs. */
export interface JsonLine {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into results of every shape
  readonly [field: string]: any;
}

const entry = resolve('dist/src/cli/main.js');

/** The command-line tool as its users start it, on one environment. Needs `npm run build:tests`. */
export class CommandLine {
  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  /** Runs the tool; whether it succeeds is for the caller to see. */
  run(...words: readonly string[]): Promise<Outcome> {
    const env = { PATH: process.env['PATH'] ?? '', ...this.environment };
    return new Promise((done) => {
      const options = { env, maxBuffer: 256 * 1024 * 1024 };
      execFile(process.execPath, [entry, ...words], options, (error, stdout, stderr) => {
        done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
      });
    });
  }

  /** What the tool printed; anything other than success is an error of the test. */
  async must(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code !== 0) throw new Error(`palimpsest ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** What the tool printed with `--json`, a value a line. */
  async json(...words: readonly string[]): Promise<readonly JsonLine[]> {
    const output = await this.must(...words, '--json');
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonLine);
  }
}
