import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { clocksAndChance, impureImports, stratumOf } from '../../eslint.strata.js';

/** An import of one file by another; both are paths from the root of the repository. */
interface Import {
  readonly from: string;
  readonly to: string;
}

async function sources(): Promise<readonly string[]> {
  const folders = ['src', 'projections'];
  const names = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })));
  return names
    .flatMap((found, place) => found.map((name) => join(folders[place]!, name)))
    .filter((name) => name.endsWith('.ts'));
}

async function importsOf(from: string): Promise<readonly Import[]> {
  return importsIn(from, await readFile(from, 'utf8'));
}

function importsIn(from: string, text: string): readonly Import[] {
  const { importedFiles } = ts.preProcessFile(text);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => ({
      from,
      to: normalize(join(dirname(from), fileName)).replace(/\.js$/, '.ts'),
    }));
}

describe('The strata of the source', () => {
  it('hold every file', async () => {
    expect((await sources()).filter((file) => stratumOf(file) === -1)).toEqual([]);
  });

  it('import nothing that stands above them', async () => {
    const imports = (await Promise.all((await sources()).map(importsOf))).flat();
    const upward = imports.filter(({ from, to }) => stratumOf(to) > stratumOf(from));
    expect(upward.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });
});

/** A top-level function that decides: it returns the events of a request, or refuses it. */
const decider = /^(?:export )?(?:async )?(?:function|const) (decide[A-Z]\w*)/gm;

/** The cycles in a graph, each as the nodes on the way back to the first. */
function circlesIn(edges: readonly Import[]): readonly string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' imports '));
    if (done.has(node)) return;
    done.add(node);
    for (const following of next.get(node) ?? []) visit(following, [...path, node]);
  };
  for (const node of next.keys()) visit(node, []);
  return circles;
}

/** The context of a file, or else its folder in `src`, or else the file itself. */
function roomOf(file: string): string {
  // The module belongs to `node/`, but is in the folder in which Nest's tools expect it.
  if (file === 'src/app.module.ts') return 'src/node';
  const [, room] = /^(src\/contexts\/[^/]+|src\/[^/]+|projections\/engine|projections)\//.exec(file) ?? [];
  return room ?? file;
}

describe('Import cycles', () => {
  it('do not exist between files of the source', async () => {
    const imports = (await Promise.all((await sources()).map(importsOf))).flat();
    expect(imports.length).toBeGreaterThan(1_000);
    expect(circlesIn(imports)).toEqual([]);
  });

  it('do not exist between contexts and the folders beside them', async () => {
    const imports = (await Promise.all((await sources()).map(importsOf))).flat();
    const between = imports
      .map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
      .filter(({ from, to }) => from !== to);
    expect(new Set(between.map(({ from }) => from)).size).toBeGreaterThan(30);
    expect(circlesIn(between)).toEqual([]);
  });

  it('are found and named where there is one', () => {
    const edges = ['a b', 'b c', 'c b', 'c d'].map((edge) => edge.split(' '));
    expect(circlesIn(edges.map(([from, to]) => ({ from: from!, to: to! })))).toEqual([
      'b imports c imports b',
    ]);
  });
});

describe('States, rules and documents', () => {
  it('stand in files of their own: nothing decides elsewhere than in *.decide.ts', async () => {
    const files = await Promise.all(
      (await sources()).map(async (file) => ({
        file,
        deciders: Array.from((await readFile(file, 'utf8')).matchAll(decider), ([, name]) => name!),
      })),
    );
    const found = files.flatMap(({ file, deciders }) => deciders.map((name) => ({ file, name })));
    expect(found.length).toBeGreaterThan(100);
    const elsewhere = found.filter(({ file }) => !file.endsWith('.decide.ts'));
    expect(elsewhere.filter(({ name }) => name !== 'decideTogether')).toEqual([]);
  });

  it('import no machine', async () => {
    const isPure = /^src\/(?:contexts|audit|erasure|operations)\/.*(\.state|\.decide|\/read-model)\.ts$/;
    const files = (await sources()).filter((file) => isPure.test(file));
    expect(files.length).toBeGreaterThan(50);
    const imported = await Promise.all(
      files.map(async (file) => {
        const { importedFiles } = ts.preProcessFile(await readFile(file, 'utf8'));
        return importedFiles.map(({ fileName }) => `${file} imports ${fileName}`);
      }),
    );
    expect(
      imported.flat().filter((line) => / imports (node:|@nestjs|fastify|mongodb|libsql)/.test(line)),
    ).toEqual([]);
  });
});

/** What files that pure ones run may import from `node:crypto`: a hash is a function of its text alone. */
const hashes: ReadonlySet<string> = new Set(['createHash', 'hash']);

/** Text without the imports and exports of types, of which nothing is left when it runs, and those of {@link hashes}. */
function whatRuns(text: string): string {
  return text
    .replaceAll(/^(?:import|export) type [^;]*? from '[^']*';$/gm, '')
    .replaceAll(/^import \{([^}]*)\} from 'node:crypto';$/gm, (written, names: string) =>
      names.split(',').every((name) => hashes.has(name.trim())) ? '' : written,
    );
}

/** What a text imports that pure files do not, where it is there when the text runs. */
function machinesIn(text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(whatRuns(text));
  return importedFiles.map(({ fileName }) => fileName).filter((name) => new RegExp(impureImports).test(name));
}

/** The clocks and the sources of chance that a text reads. */
function clocksIn(text: string): readonly string[] {
  return [...clocksAndChance.map(([object, property]) => `${object}.${property}`), ' Date()'].filter((name) =>
    text.includes(name),
  );
}

/** Whether lint keeps a file from what is not pure. */
async function isKeptPure(eslint: ESLint, file: string): Promise<boolean> {
  const { rules } = (await eslint.calculateConfigForFile(file)) as {
    readonly rules: Readonly<Record<string, readonly unknown[]>>;
  };
  return JSON.stringify(rules['no-restricted-imports'] ?? null).includes(JSON.stringify(impureImports));
}

describe('What states, rules, views and projections run', () => {
  it('touches no machine either, where it stands in a context or beside them', async () => {
    const texts = new Map<string, string>();
    for (const file of await sources()) texts.set(file, await readFile(file, 'utf8'));
    const eslint = new ESLint();
    const reached = new Set<string>();
    for (const file of texts.keys()) if (await isKeptPure(eslint, file)) reached.add(file);
    const roots = reached.size;
    expect(reached).toContain('src/contexts/messages/moves/move-notices.decide.ts');
    const isFollowed = /^(?:src\/(?:contexts|audit|erasure|operations)|projections(?!\/engine))\//;
    // A set that grows while it is followed is followed to its end.
    for (const from of reached) {
      for (const { to } of importsIn(from, whatRuns(texts.get(from)!)))
        if (isFollowed.test(to)) reached.add(to);
    }
    expect(reached.size).toBeGreaterThan(roots + 30);
    const impure = [...reached].flatMap((file) =>
      [...machinesIn(texts.get(file)!), ...clocksIn(texts.get(file)!)].map((name) => `${file} uses ${name}`),
    );
    expect(impure).toEqual([]);
  });

  it.each([
    ["import { createHash, hash } from 'node:crypto';", []],
    ["import type { KeyObject } from 'node:crypto';", []],
    ["import { hash, randomBytes } from 'node:crypto';", ['node:crypto']],
    ["import crypto from 'node:crypto';", ['node:crypto']],
    ["export const crypto = await import('node:crypto');", ['node:crypto']],
    ["import { EventStoreDBClient } from '@eventstore/db-client';", ['@eventstore/db-client']],
    [
      "import { openDatabase } from '../../stores/sqlite/database-file.js';",
      ['../../stores/sqlite/database-file.js'],
    ],
  ])('is told by what is imported: %s', (text, machines) => {
    expect(machinesIn(text)).toEqual(machines);
  });
});

describe('Lint', () => {
  const eslint = new ESLint({
    overrideConfig: { languageOptions: { parserOptions: { projectService: false, project: false } } },
    ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-imports',
  });

  async function complaints(filePath: string, specifier: string): Promise<readonly string[]> {
    const [result] = await eslint.lintText(`import '${specifier}';\n`, { filePath });
    return result!.messages.map(({ message }) => message);
  }

  it.each([
    ['src/kernel/example.ts', '../runtime/system-clock.js'],
    ['src/runtime/example.ts', '../config.js'],
    ['src/configuration/example.ts', '../markdown/render.js'],
    ['src/config.ts', './app.module.js'],
    ['src/markdown/inline/example.ts', '../../events/users.js'],
    ['src/events/values/example.ts', '../../stores/event-store/port.js'],
    ['src/stores/event-store/example.ts', '../../../projections/engine/projection.js'],
    ['projections/engine/example.ts', '../../src/access/directory.js'],
    ['projections/engine/example.ts', '../mail.projection.js'],
    ['src/access/records/example.ts', '../../http/caller.js'],
    ['src/http/server/example.ts', '../../reader-threads/readers.js'],
    ['src/reader-threads/example.ts', '../realtime/event-feed.js'],
    ['src/realtime/queues/example.ts', '../../contexts/users/users.state.js'],
    ['src/contexts/users/example.ts', '../../audit/names.js'],
    ['src/contexts/users/example.ts', '../../../projections/mail.projection.js'],
    ['projections/example.projection.ts', '../src/audit/names.js'],
    ['src/audit/past/example.ts', '../../node/serve.js'],
    ['src/operations/example.ts', '../app.module.js'],
    ['src/erasure/example.ts', '../node/serve.js'],
  ])('lets %s not import %s', async (file, specifier) => {
    expect(await complaints(file, specifier)).toHaveLength(1);
  });

  it.each(
    [
      ['event-store', 'embedded', 'eventstoredb'] as const,
      ['read-store', 'embedded', 'mongodb'] as const,
      ['key-store', 'embedded', 'mongodb'] as const,
      ['credential-store', 'embedded', 'mongodb'] as const,
      ['file-store', 'directory', 's3'] as const,
      ['queue-store', 'embedded', 'mongodb'] as const,
    ].flatMap(([port, one, other]) => [
      { port, adapter: one, other },
      { port, adapter: other, other: one },
    ]),
  )('keeps the adapters of $port apart: $adapter from $other', async ({ port, adapter, other }) => {
    const file = `src/stores/${port}/${adapter}/example.ts`;
    expect(await complaints(file, `../${other}/example.js`)).toHaveLength(1);
  });

  it('keeps what is pure from clocks and from chance', async () => {
    const lint = new ESLint({
      overrideConfig: { languageOptions: { parserOptions: { projectService: false, project: false } } },
      ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-properties',
    });
    const text = clocksAndChance.map(([object, property]) => `${object}.${property}();\n`).join('');
    const found = async (filePath: string): Promise<number> =>
      (await lint.lintText(text, { filePath }))[0]!.messages.length;
    for (const file of [
      'kernel/a.ts',
      'access/a.ts',
      'contexts/users/a.decide.ts',
      'contexts/messages/view/a.ts',
    ])
      expect(await found(`src/${file}`)).toBe(clocksAndChance.length);
    expect(await found('projections/a.projection.ts')).toBe(clocksAndChance.length);
    for (const file of ['src/access/directory-follower.ts', 'src/runtime/a.ts', 'projections/engine/a.ts'])
      expect(await found(file)).toBe(0);
  });

  it.each([
    '@nestjs/common',
    'node:fs',
    '../../stores/sqlite/database-file.js',
    '../../stores/key-store/vault.js',
    '../../stores/event-store/event-log.js',
    '../../runtime/time-slice.js',
  ])('keeps what is pure from %s', async (specifier) => {
    for (const file of [
      'src/access/example.ts',
      'src/events/example.ts',
      'src/markdown/inline/example.ts',
      'src/contexts/users/example.state.ts',
      'src/audit/exports/example.decide.ts',
      'src/erasure/example.state.ts',
      'src/operations/example.decide.ts',
      'src/audit/example.view.ts',
      'src/contexts/messages/narrow/example.ts',
      'src/contexts/messages/view/example.ts',
      'projections/example.projection.ts',
    ])
      expect(await complaints(file, specifier)).not.toEqual([]);
  });

  it.each([
    'custom.state.ts',
    'custom.decide.ts',
    'custom.view.ts',
    'read-model.ts',
    'nested/custom.decide.ts',
  ])('keeps %s of a context pure', async (name) => {
    for (const specifier of ['@nestjs/cqrs', 'node:crypto', 'fastify', './commands/custom.js'])
      expect(await complaints(`src/contexts/example/${name}`, specifier)).not.toEqual([]);
    expect(await complaints(`src/contexts/example/${name}`, '../../access/actor.js')).toEqual([]);
  });

  it('lets a higher stratum import a lower one', async () => {
    expect(await complaints('src/contexts/users/example.ts', '../../stores/event-store/port.js')).toEqual([]);
    expect(await complaints('src/node/example.ts', '../audit/names.js')).toEqual([]);
  });
});
