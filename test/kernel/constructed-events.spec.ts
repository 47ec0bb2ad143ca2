import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { eventCatalog } from '../../src/stores/event-catalog.js';

const types: ReadonlySet<string> = new Set(eventCatalog.definitions.map(({ type }) => type));

async function sources(): Promise<readonly string[]> {
  const found = await Promise.all(
    ['src', 'projections'].map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  return found.flat().filter((name) => name.endsWith('.ts'));
}

/** The types of the domain events that a text constructs: objects with `data` whose `type` names one. */
function constructedIn(text: string): readonly string[] {
  const constructed: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) constructed.push(...typeOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true));
  return constructed;
}

function typeOf({ properties }: ts.ObjectLiteralExpression): readonly string[] {
  const named = (name: string): ts.ObjectLiteralElementLike | undefined =>
    properties.find((property) => property.name?.getText() === name);
  const type = named('type');
  if (named('data') === undefined || type === undefined || !ts.isPropertyAssignment(type)) return [];
  const value = type.initializer.getText();
  // `MessageSent.type` and 'MessageSent'.
  const [, name = ''] = /^['"]?(\w+)(?:['"]|\.type)$/.exec(value) ?? [];
  return types.has(name) ? [name] : [];
}

describe('Domain events', () => {
  it('are constructed only by deciders, in *.decide.ts', async () => {
    const found = await Promise.all(
      (await sources())
        // The catalog says of some events which others their examples contain.
        .filter((file) => !file.startsWith('src/events/'))
        .map(async (file) => ({ file, constructed: constructedIn(await readFile(file, 'utf8')) })),
    );
    const isDecider = ({ file }: { readonly file: string }): boolean => file.endsWith('.decide.ts');
    expect(new Set(found.filter(isDecider).flatMap(({ constructed }) => constructed)).size).toBeGreaterThan(
      120,
    );
    const elsewhere = found.filter((one) => !isDecider(one));
    expect(
      elsewhere.flatMap(({ file, constructed }) => constructed.map((type) => `${file}: ${type}`)),
    ).toEqual([]);
  });

  it.each([
    ["const event = { type: 'MessageSent', data };", ['MessageSent']],
    ['append([{ type: MessageSent.type, data: { id: 1 } }]);', ['MessageSent']],
    ["const clientEvent = { type: 'realm', data };", []],
    ["if (event.type === 'MessageSent') return { type: 'MessageSent' };", []],
  ])('are found: %s', (text, constructed) => {
    expect(constructedIn(text)).toEqual(constructed);
  });
});
