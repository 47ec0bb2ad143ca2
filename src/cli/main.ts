#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { explain } from '../runtime/operator-errors.js';
import { programVersion } from '../operations/program-version.js';
import { auditCommands } from './audit/commands.js';
import { backupCommand, restoreCommand } from './backup.command.js';
import { exitCodes, MisusedError } from './command.js';
import { ownerCommands } from './owner.command.js';
import { projectionsCommands } from './projections/commands.js';
import { serveCommand } from './serve.command.js';
import { printable } from './terminal-text.js';

const DESCRIPTION = `Operates and audits a Palimpsest server.

The environment names the server, in the same variables that configure it: DATA_DIR, EVENTSTORE_URL, MONGODB_URL, SERVER_KEY_FILE.
Commands that only read can be used while the server runs. Commands that change something are sent to the running server,
through a socket in DATA_DIR that only the user of the server can open; if no server is running, they use the files.`;

const CODES = `
Exit codes: 0 success, and no fault was found; 1 the command failed; 2 the command line is not valid; 3 a fault was found;
4 no fault was found, but something that a proof needs is missing (\`audit check\` without --signer).`;

function program(): Command {
  const palimpsest = new Command('palimpsest')
    .description(DESCRIPTION)
    .version(programVersion(), '--version', 'show the version')
    .addHelpText('after', CODES)
    // Options after a subcommand's name belong to it, even if its group has an option of the same name.
    .enablePositionalOptions();
  for (const group of [
    serveCommand(),
    auditCommands(),
    projectionsCommands(),
    backupCommand(),
    restoreCommand(),
    ownerCommands(),
  ])
    palimpsest.addCommand(group);
  throwInsteadOfExiting(palimpsest);
  return palimpsest;
}

function throwInsteadOfExiting(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help says what there is)');
  command.commands.forEach(throwInsteadOfExiting);
}

async function main(words: readonly string[]): Promise<void> {
  // When the reader closes the pipe early, as `head` does, the command ends.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed);
  });
  try {
    await program().parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
      return;
    }
    process.stderr.write(`${printable(explain(error))}\n`);
    process.exitCode = error instanceof MisusedError ? exitCodes.misused : exitCodes.failed;
  }
}

await main(process.argv.slice(2));
