#!/usr/bin/env node
import 'reflect-metadata';
import { Command, CommanderError } from 'commander';
import { exitCodes, MisusedError } from './command.js';

const description = `Tends and audits a Palimpsest server.

The environment says which one, as it does for the server itself: DATA_DIR, EVENTSTORE_URL, MONGODB_URL, SERVER_KEY_FILE.
What only reads works beside a running server; what changes something asks the running server, through a socket in DATA_DIR
that only its own user can open, and works on the files when none runs.`;

const codes = `
Exit codes: 0 done, and nothing found amiss; 1 it could not be done; 2 the command line makes no sense; 3 something is amiss.`;

/** Every command by its first word; what one needs is a lot to load, so only what is asked for is. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('./audit/commands.js')).auditCommands(),
  projections: async () => (await import('./projections/commands.js')).projectionsCommands(),
  backup: async () => (await import('./backup.js')).backupCommand(),
  restore: async () => (await import('./backup.js')).restoreCommand(),
  owner: async () => (await import('./owner-reset-key.js')).ownerCommands(),
};

async function program(firstWord: string): Promise<Command> {
  const palimpsest = new Command('palimpsest').description(description).addHelpText('after', codes);
  const named = Object.entries(commands).filter(([name]) => name === firstWord);
  // Help, and whatever makes no sense, tell of all of them.
  for (const [, load] of named.length > 0 ? named : Object.entries(commands))
    palimpsest.addCommand(await load());
  throwInsteadOfExiting(palimpsest);
  return palimpsest;
}

function throwInsteadOfExiting(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help says what there is)');
  command.commands.forEach(throwInsteadOfExiting);
}

async function main(words: readonly string[]): Promise<void> {
  // A reader that has seen enough, such as `head`, ends the output and with it the command.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed);
  });
  try {
    await (await program(words[0] ?? '')).parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
      return;
    }
    const { explain } = await import('../operator-errors.js');
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = error instanceof MisusedError ? exitCodes.misused : exitCodes.failed;
  }
}

await main(process.argv.slice(2));
