import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { CommandLine } from '../support/command-line.js';
import { parts } from './session/parts.js';
import { configurationTable } from './support/configuration-table.js';
import { expectGolden } from './support/golden-file.js';
import { prettyJson } from './support/pretty-json.js';
import { errorTable, eventCatalog } from './support/product.js';

type Definition = (typeof eventCatalog.definitions)[number];

function eventOf({ type, version, description, schema, erasable, example, upcasts }: Definition): object {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return {
    type,
    version,
    description,
    upcastFrom: Object.keys(upcasts).map(Number),
    schema: shape,
    example,
    ...(erasable && {
      erasable: {
        fields: erasable.fields,
        placeholder: erasable.placeholder,
        ownerOfExample: erasable.owner(example as never),
        keyOfExample: erasable.key?.(example as never),
      },
    }),
  };
}

it('The events, their versions and schemas are as before', () => {
  const definitions = [...eventCatalog.definitions].sort((left, right) => (left.type < right.type ? -1 : 1));
  expect(definitions.length).toBeGreaterThan(100);
  expectGolden('events.json', prettyJson(definitions.map(eventOf)));
});

/** A placeholder for the fields that a message is composed of. */
const namesOfFields = placeholder('fields');

function placeholder(name: string): object {
  const asText = (): string => `{${name}}`;
  return new Proxy(
    {},
    {
      get: (_fields, field) => (typeof field === 'symbol' ? asText : placeholder(field)),
    },
  );
}

it('The errors, their codes, statuses and texts are as before', () => {
  const rows = Object.values(errorTable).map(
    ({ status, code, message }) => `${status} ${code || '(no code)'} ${message(namesOfFields as never)}`,
  );
  expect(rows.length).toBeGreaterThan(200);
  expectGolden('errors.txt', [...new Set(rows)].sort().join('\n'));
});

it('The variables of the configuration, their defaults, meanings and refusals are as before', () => {
  expectGolden('configuration.txt', configurationTable(readFileSync('README.md', 'utf8')));
});

const tool = new CommandLine({});

/** The help of a command and its subcommands, in the order of the help's list. */
async function helpOf(words: readonly string[]): Promise<readonly string[]> {
  const help = await tool.must(...words, '--help');
  const listed = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(help)?.[1] ?? '';
  const below = [...listed.matchAll(/^ {2}(\S+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
  const parts = await Promise.all(below.map((name) => helpOf([...words, name])));
  return [`$ palimpsest ${[...words, '--help'].join(' ')}\n\n${help}`, ...parts.flat()];
}

it('The help of every command is as before', async () => {
  const parts = await helpOf([]);
  expect(parts.length).toBeGreaterThan(20);
  expectGolden('commands.txt', parts.join('\n'));
});

it('Every golden file is compared by a test', () => {
  const files = readdirSync('test/golden/files', { recursive: true, withFileTypes: true });
  const found = files.filter((file) => file.isFile()).map(({ name }) => name);
  const session = [...parts.map(({ name }) => name), '12-command-line', '13-nobody'].map(
    (name) => `${name}.txt`,
  );
  const others = [
    'commands.txt',
    'configuration.txt',
    'errors.txt',
    'events.json',
    'log.txt',
    'openapi.json',
  ];
  expect(found.sort()).toEqual([...session, ...others].sort());
});
