import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { errorTable, failure } from '../../src/kernel/errors.js';

const folder = join('src', 'kernel', 'error-rows');

it('Every row of every part is in the table of errors, and no two have one name', async () => {
  const names: string[] = [];
  for (const file of readdirSync(folder)) {
    const part = (await import(pathToFileURL(join(folder, file)).href)) as Readonly<Record<string, object>>;
    names.push(...Object.values(part).flatMap((rows) => Object.keys(rows)));
  }
  expect(names.sort()).toEqual(Object.keys(errorTable).sort());
});

it('Every row is named by what throws it, or by the budget that it stands for', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('error-rows'))
    .map((file) => readFileSync(join('src', file), 'utf8'))
    .join('\n');
  expect(Object.keys(errorTable).filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});

it('What a message is made from is not sent beside it; all else is', () => {
  const about = failure('textTooLong', { reason: { name: 'note', limit: 500 } });
  expect({ message: about.message, fields: about.fields }).toEqual({
    message: 'note is too long (limit: 500 characters)',
    fields: {},
  });
  expect(failure('missingParameter', { var_name: 'to' }).fields).toEqual({ var_name: 'to' });
});
