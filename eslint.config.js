import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { clocksAndChance, importsFromAbove, impureImports, pureInContexts, strata } from './eslint.strata.js';

/** What is forbidden to import, by expression, each with the reason. */
const fromAbove = (place) => ({
  regex: importsFromAbove(place),
  message: `The stratum "${strata[place].name}" imports nothing that stands above it (eslint.strata.js).`,
});
const fromMachine = {
  regex: impureImports,
  message: 'Rules, folds and projections are pure: no Nest, no node, no adapter.',
};
const notAllowed = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });
const fromClocks = {
  'no-restricted-properties': [
    'error',
    ...clocksAndChance.map(([object, property]) => ({
      object,
      property,
      message: 'Rules, folds and projections are pure: times and ids are passed to them.',
    })),
  ],
};
const filesIn = ({ paths }) => paths.map((path) => (path.endsWith('/') ? `${path}**/*.ts` : path));

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'var', 'coverage'] },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-params': ['error', 3],
      'no-console': 'error',
      'no-control-regex': 'off',
      'no-duplicate-imports': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Exports have names.' },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      // Ports are asynchronous; an embedded adapter may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Constructors are filled by dependency injection, which has no other way to pass what a class needs.
    files: ['src/**/*.ts', 'projections/**/*.ts', 'test/**/*.ts'],
    rules: {
      'max-params': 'off',
      '@typescript-eslint/max-params': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Exports have names.' },
        {
          selector:
            ':matches(FunctionDeclaration, ArrowFunctionExpression, :not(MethodDefinition[kind="constructor"]) > FunctionExpression)[params.length>3]',
          message: 'A function takes at most three parameters.',
        },
        {
          selector:
            'CallExpression[callee.name="failure"] Property[key.name="reason"] > :matches(Literal, TemplateLiteral)',
          message: 'What an error says stands in its row (src/kernel/error-rows).',
        },
        {
          // src/runtime/tracing imports it only where tracing is on.
          selector:
            'ImportDeclaration[source.value="node:async_hooks"] ImportSpecifier[imported.name="AsyncLocalStorage"]',
          message: 'The first use makes every promise of the process slower: pass what is needed on.',
        },
        {
          selector: 'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]',
          message:
            'Nothing is cast by way of unknown: use `on`, `isEvent`, a schema or a type guard; in tests `standIn`.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'projections/**/*.ts', 'console/src/**/*.{ts,tsx}'],
    rules: {
      // Constants of a file: single values in capitals; tables, functions, expressions and schemas like other names.
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: 'variable',
          modifiers: ['const', 'global'],
          types: ['string', 'number', 'boolean'],
          format: ['UPPER_CASE'],
        },
        {
          selector: 'variable',
          modifiers: ['const', 'global', 'destructured'],
          types: ['string', 'number', 'boolean'],
          format: null,
        },
        { selector: 'variable', modifiers: ['const', 'global'], format: ['camelCase', 'PascalCase'] },
      ],
    },
  },
  ...strata.slice(0, -1).map((stratum, place) => ({
    files: filesIn(stratum),
    rules: {
      ...notAllowed(fromAbove(place), ...(stratum.isPure ? [fromMachine] : [])),
      ...(stratum.isPure && fromClocks),
    },
  })),
  ...strata.flatMap(({ impure = [] }, place) =>
    impure.map((file) => ({
      files: [file],
      rules: { ...notAllowed(fromAbove(place)), 'no-restricted-properties': 'off' },
    })),
  ),
  {
    files: filesIn({ paths: ['projections/engine/'] }),
    rules: {
      ...notAllowed(fromAbove(strata.findIndex(({ name }) => name === 'projection engine'))),
      'no-restricted-properties': 'off',
    },
  },
  {
    files: ['src/kernel/**/*.ts'],
    rules: notAllowed({
      regex: String.raw`^(?!\./|zod$)`,
      message: 'The kernel imports nothing but itself and the schema library.',
    }),
  },
  {
    files: pureInContexts,
    rules: {
      ...notAllowed(fromAbove(strata.findIndex(({ name }) => name === 'contexts')), fromMachine),
      ...fromClocks,
    },
  },
  {
    files: ['src/stores/*-store/*/**/*.ts'],
    ignores: [
      'src/stores/event-store/{following,merkle,snapshots,tags}/**',
      'src/stores/read-store/language/**',
    ],
    rules: notAllowed(fromAbove(strata.findIndex(({ name }) => name === 'stores')), {
      regex: String.raw`^\.\./(?!\.\.)(embedded|eventstoredb|mongodb|directory|s3)/|@nestjs`,
      message: 'An adapter knows its port and no other adapter.',
    }),
  },
  {
    // The console asks the API as any client does: it shares no code with the server, and the server none with it.
    files: ['console/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    rules: notAllowed({
      regex: String.raw`^(?:\.\./)+(?:src|projections|test)/`,
      message: 'The console shares no code with the server: it asks the API.',
    }),
  },
  { files: ['console/vite.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    // Tests look into replies of every shape.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
