import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CommandFailedError, MisusedError } from './command.js';

/** The option of commands that cannot be undone. */
export interface Confirmed {
  readonly yes?: boolean;
}

/** The terminal that the question is shown on, and whether a person can answer there. */
interface QuestionStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Adds `--yes` to a command that cannot be undone. */
export function withConfirmation(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation, for scripts');
}

/**
 * Asks for confirmation of something that cannot be undone, unless `--yes` was given.
 *
 * @param question a sentence that says what will be done
 * @throws MisusedError when nobody can answer; CommandFailedError when the answer is no
 */
export async function confirm(
  question: string,
  { yes = false }: Confirmed,
  { input, output }: QuestionStreams = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (yes) return;
  if (input.isTTY !== true || output.isTTY !== true) {
    throw new MisusedError(`${question} Say --yes to do it: there is no terminal to ask on.`);
  }
  const terminal = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${question} Go on? [y/N] `), ended]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailedError('Nothing was done.');
}
