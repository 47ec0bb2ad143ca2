import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

// The first use of a typed lint rule loads the whole program.
const eslint = new ESLint();

/** The lint rules that a text breaks when it is in a file of the repository. */
async function rulesBrokenBy(text: string, filePath: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? 'unparsable');
}

describe('lint refuses', () => {
  it.each([
    ['the kernel that imports Nest', "import '@nestjs/common';", 'src/kernel/json.ts'],
    ['the kernel that imports node', "import 'node:fs';", 'src/kernel/json.ts'],
    ['the kernel that imports a context', "import '../contexts/messages/message.js';", 'src/kernel/json.ts'],
    [
      'the kernel that imports an adapter',
      "import '../stores/event-store/embedded/log-file.js';",
      'src/kernel/json.ts',
    ],
    ['an aggregate that imports Nest', "import '@nestjs/common';", 'src/contexts/messages/message.state.ts'],
    ['an aggregate that imports node', "import 'node:crypto';", 'src/access/records/user.ts'],
    [
      'a rule that imports an adapter',
      "import '../../stores/read-store/mongodb/errors.js';",
      'src/access/records/channel.ts',
    ],
    ['a projection that imports node', "import 'node:crypto';", 'projections/messages.projection.ts'],
    [
      'an adapter that imports another',
      "import '../mongodb/errors.js';",
      'src/stores/read-store/embedded/projected.ts',
    ],
    [
      'an adapter that imports Nest',
      "import '@nestjs/common';",
      'src/stores/event-store/embedded/log-file.ts',
    ],
  ])('%s', async (_what, text, filePath) => {
    expect(await rulesBrokenBy(text, filePath)).toContain('no-restricted-imports');
  });

  it.each([
    ['a default export', 'export default 1;', 'no-restricted-syntax'],
    [
      'a function of four parameters',
      'export const f = (a: 1, b: 2, c: 3, d: 4): unknown => [a, b, c, d];',
      'no-restricted-syntax',
    ],
    [
      'a cast by way of unknown',
      'export const f = (a: string): number => a as unknown as number;',
      'no-restricted-syntax',
    ],
    [
      'a promise that nobody waits for',
      'void 0; Promise.resolve();',
      '@typescript-eslint/no-floating-promises',
    ],
    [
      'a switch that forgets a case',
      "export function f(x: 'a' | 'b'): number { switch (x) { case 'a': return 1; } return 2; }",
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
  ])('%s', async (_what, text, rule) => {
    expect(await rulesBrokenBy(text, 'src/contexts/messages/message.state.ts')).toContain(rule);
  });
});

describe('lint lets pass', () => {
  it('a kernel that imports itself and the schema library', async () => {
    const text = "import 'zod';\nimport './event.js';\n";
    expect(await rulesBrokenBy(text, 'src/kernel/json.ts')).toEqual([]);
  });

  it('a constructor that is given four dependencies', async () => {
    const text =
      'export class A { constructor(readonly a: 1, readonly b: 2, readonly c: 3, readonly d: 4) {} }\n';
    expect(await rulesBrokenBy(text, 'src/contexts/messages/message.state.ts')).toEqual([]);
  });
});
