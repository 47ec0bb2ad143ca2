#!/usr/bin/env node
import 'reflect-metadata';
import { ConfigurationError, readConfiguration } from '../config.js';
import { DataDirectoryInUseError } from '../data-directory-lock.js';
import { ServerKeyError } from '../key-store/server-key.js';
import { NoOwnerError } from '../organization/owner-key.js';
import { CommandFailedError, type CliCommand } from './command.js';
import { ownerResetKey } from './owner-reset-key.js';

const commands: readonly CliCommand[] = [ownerResetKey];

/** What the operator can mend: told in a sentence, without a stack. */
const operatorErrors = [
  CommandFailedError,
  ConfigurationError,
  DataDirectoryInUseError,
  NoOwnerError,
  ServerKeyError,
];

function usage(): string {
  const lines = commands.map(({ words, summary }) => `  palimpsest ${words.join(' ')}\n      ${summary}`);
  return [
    'Tends a Palimpsest server. The environment says which one, as it does for the server: DATA_DIR, EVENTSTORE_URL, …',
    '',
    ...lines,
    '',
    '  palimpsest --help',
    '      say this',
  ].join('\n');
}

async function main(words: readonly string[]): Promise<number> {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) {
    process.stdout.write(`${usage()}\n`);
    return words.length === 0 ? 2 : 0;
  }
  const command = commands.find((one) => one.words.join(' ') === words.join(' '));
  if (command === undefined) {
    process.stderr.write(`There is no command "${words.join(' ')}".\n\n${usage()}\n`);
    return 2;
  }
  process.stdout.write(`${await command.run(readConfiguration(process.env))}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isOperators = operatorErrors.some((type) => error instanceof type);
    const text = isOperators ? (error as Error).message : String((error as Error).stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  },
);
