import type { Command } from 'commander';
import { readConfiguration, type Configuration } from '../config.js';
import { processTerminal, type Terminal } from './terminal.js';
import { OperatorError } from '../kernel/errors.js';

/** What a command works with. */
export interface CommandContext {
  readonly configuration: Configuration;
  readonly terminal: Terminal;
}

/** Does what a command says; answers what the process exits with. */
export type CommandAction<Parameters> = (
  parameters: Parameters,
  context: CommandContext,
) => Promise<ExitCode>;

/**
 * What the process exits with. Scripts can rely on it:
 * 0 done, and nothing found amiss; 1 could not be done; 2 the command line makes no sense; 3 done, and something is amiss; 4 done,
 * and nothing is amiss as far as was looked, but something needed for a proof was not given.
 */
export const exitCodes = { done: 0, failed: 1, misused: 2, amiss: 3, unproven: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command could not be carried out. The message is a sentence for the operator. */
export class CommandFailedError extends OperatorError {
  override readonly name = 'CommandFailedError';
}

/** The command line holds a value that makes no sense. The message is a sentence that names it. */
export class MisusedError extends OperatorError {
  override readonly name = 'MisusedError';
}

/**
 * Adds `--json`, and runs an action with what the command line and the environment say.
 *
 * @param load gives the action; only the one that is asked for is loaded, with all that stands behind it
 */
export function runs<Parameters extends object>(
  command: Command,
  load: () => Promise<CommandAction<Parameters>>,
): Command {
  return command.option('--json', 'write results for a program: JSON, one value a line').action(async () => {
    const options = command.opts<{ json?: boolean }>();
    const parameters: object = { ...argumentsOf(command), ...options };
    const context = {
      configuration: readConfiguration(process.env),
      terminal: processTerminal({ json: options.json === true }),
    };
    const action = await load();
    process.exitCode = await action(parameters as Parameters, context);
  });
}

/** What stands on the command line beside options, by name. */
function argumentsOf(command: Command): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]),
  );
}

/** For an option's value that must be a whole number. */
export function wholeNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new MisusedError(`"${value}" is not a whole number.`);
}

/** For an option that may be given several times. */
export function collected(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
