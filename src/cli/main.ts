#!/usr/bin/env node
import 'reflect-metadata';
import { readConfiguration } from '../config.js';
import { explain } from '../operator-errors.js';
import type { CliCommand } from './command.js';
import { ownerResetKey } from './owner-reset-key.js';

const commands: readonly CliCommand[] = [ownerResetKey];

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
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
