import type { Command } from 'commander';
import { readConfiguration, type Configuration } from '../config.js';
import { processTerminal, type Terminal } from './terminal.js';
import { OperatorError } from '../kernel/errors.js';

/** What a command needs besides its parameters. */
export interface CommandContext {
  readonly configuration: Configuration;
  readonly terminal: Terminal;
}

/** Carries out a command and returns the exit code of the process. */
export type CommandAction<Parameters> = (
  parameters: Parameters,
  context: CommandContext,
) => Promise<ExitCode>;

/**
 * Exit codes, which scripts can rely on. 0: done, no fault found; 1: could not be done; 2: wrong usage; 3: done, faults found; 4: done, no
 * fault found, but something that a proof needs was not given.
 */
export const exitCodes = { done: 0, failed: 1, misused: 2, faultsFound: 3, unproven: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command could not be carried out. The message is a sentence for the operator. */
export class CommandFailedError extends OperatorError {
  override readonly name = 'CommandFailedError';
}

/** An argument or option has an invalid value. The message is a sentence that names it. */
export class MisusedError extends OperatorError {
  override readonly name = 'MisusedError';
}

/**
 * Adds `--json`, and runs an action with the parsed command line and the configuration.
 *
 * @param load imports the action, so that only the chosen command's code is loaded
 */
export function runs<Parameters extends object>(
  command: Command,
  load: () => Promise<CommandAction<Parameters>>,
): Command {
  return command
    .option('--json', 'write the results as JSON, one value per line, for programs')
    .action(async () => {
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

/** The positional arguments by name. */
function argumentsOf(command: Command): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]),
  );
}

/** Parses an option as a whole number. */
export function wholeNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new MisusedError(`"${value}" is not a whole number.`);
}

/** Collects the values of an option that may be repeated. */
export function collected(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
