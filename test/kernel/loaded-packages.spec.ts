import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

/** What only the request thread needs. Each takes a thread, and every command of an operator, up to half a second of a core to load. */
const frameworks = /^(@nestjs\/(common|core|cqrs|swagger|platform-fastify)|rxjs|fastify|class-[a-z]+)$/;

/** The modules that a file loads when it is loaded itself: neither types nor what it imports later. */
async function loadedBy(file: string): Promise<readonly string[]> {
  const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const isOfTypes = ts.isImportDeclaration(statement)
      ? statement.importClause?.isTypeOnly === true
      : statement.isTypeOnly;
    const { moduleSpecifier } = statement;
    return !isOfTypes && moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [];
  });
}

const known = new Map<string, Promise<readonly string[]>>();

/** The packages that are loaded with a file, each with the file that imports it. */
async function packagesLoadedWith(entry: string): Promise<readonly string[]> {
  const files = new Set([entry]);
  const packages: string[] = [];
  for (const file of files) {
    if (!known.has(file)) known.set(file, loadedBy(file));
    for (const name of await known.get(file)!) {
      if (name.startsWith('.')) files.add(normalize(join(dirname(file), name.replace(/\.js$/, '.ts'))));
      else packages.push(`${file} imports ${name}`);
    }
  }
  return packages;
}

async function commandFiles(): Promise<readonly string[]> {
  const names = await readdir('src/cli', { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join('src/cli', name));
}

describe('A thread or a command loads no framework', () => {
  it.each([
    'projections/engine/worker.ts',
    'src/node/projector-environment.ts',
    'src/reader-threads/reader-thread.ts',
    'src/node/reader-node.ts',
    'src/node/verify-thread.ts',
    'src/node/proof-thread.ts',
    'src/node/export-thread.ts',
    'src/operations/backup/backup-thread.ts',
    'src/contexts/users/password-strength-thread.ts',
    'src/contexts/channel-mail/mail-thread.ts',
    'src/contexts/uploads/images/image-process.ts',
    'src/node/case-task-thread.ts',
  ])('when it starts: %s', async (entry) => {
    const packages = await packagesLoadedWith(entry);
    expect(packages.filter((line) => frameworks.test(line.split(' ').at(-1)!))).toEqual([]);
  });

  it('on the command line, but for what serves the past', async () => {
    const files = await commandFiles();
    expect(files.length).toBeGreaterThan(30);
    const packages = (await Promise.all(files.map(packagesLoadedWith))).flat();
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter((line) => frameworks.test(line.split(' ').at(-1)!))).toEqual([]);
  });

  it('but the request thread does', async () => {
    const packages = await packagesLoadedWith('src/app.module.ts');
    expect(packages.some((line) => line.endsWith(' imports @nestjs/cqrs'))).toBe(true);
  });
});
