import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/** @param {string} regex @param {string} message */
const forbid = (regex, message) => ({
  'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
});

/** What runs on nothing: rules, folds and projections are values and functions, and never touch a machine. */
const pure = [
  'src/*/events.ts',
  'src/users/group-events.ts',
  'src/profiles/{external-accounts,field-data,field-definition,field-types,profile,profile-data,profile-fields,profile-values,profiles}.ts',
  'src/personal/*/events.ts',
  'src/personal/{snippets/saved-snippets,navigation/navigation-views,bot-storage/bot-storage}.ts',
  'src/messages/{message,message-document,text,access,recipients,compose-text}.ts',
  'src/messages/{arrivals,channel-moves,move-notices,moving,resolved-topic-reading,sending-decision}.ts',
  'src/attention/{alert-matching,attention,decisions,topic-visibility}.ts',
  'src/messages/submessages/{events,submessage,widget}.ts',
  'src/presence/{presence,visible-presence}.ts',
  'src/messages/flags/{events,id-ranges,marking,personal-flags,read-receipts}.ts',
  'src/messages/narrow/{compiled-narrow,terms,anchor,compile,operands,personal-terms,search,sources,with-term}.ts',
  'src/messages/view/{cached-message,flags,write-message,reader}.ts',
  'src/users/{user,user-group,user-directory,group-directory,decisions,roles,full-name,group-name}.ts',
  'src/channels/{channel,subscription,channel-directory,channel-subscriptions}.ts',
  'src/channels/*-decision.ts',
  'src/invitations/{addresses,address-rules,invitations,inviting-decision,open-invitation,welcome}.ts',
  'src/channels/folders/{events,channel-folders}.ts',
  'src/push/devices.ts',
  'src/missed-messages/{missed-document,who-misses}.ts',
  'src/mail/{delivery,letter,mailed-events}.ts',
  'src/organization/{organization,organization-changes,domain-changes,allowed-domains,defaults,group-setting,group-rule,permissions,settings}.ts',
  'src/directory/{directory,directory-changes,directory-records,named-records,name-index,people,subscriptions,membership,moment,people-settings,email-visibility,*permission*}.ts',
  'src/settings/{setting-table,setting-kinds,languages,notification-sounds,time-zone,personal-settings,own-settings}.ts',
  'src/statuses/{status,status-object}.ts',
  'src/account-links/requested-links.ts',
  'projections/{*.projection,message-attention,personal-belongings}.ts',
];

const adapters = String.raw`(event-store|read-store|key-store|credential-store|signal-store)/(embedded|eventstoredb|mongodb)`;

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
      ],
    },
  },
  {
    files: ['src/kernel/**/*.ts'],
    rules: forbid(String.raw`^(?!\./|zod$)`, 'The kernel imports nothing but itself and the schema library.'),
  },
  {
    files: pure,
    rules: forbid(
      `^(node:|@nestjs|libsql|mongodb$|@eventstore|fastify)|/(commands|queries|dto)/.*\\.js$|${adapters}`,
      'Rules, folds and projections are pure: no Nest, no node, no adapter.',
    ),
  },
  ...['event-store', 'read-store', 'key-store', 'credential-store', 'signal-store'].flatMap((port) =>
    ['embedded', 'eventstoredb', 'mongodb'].map((adapter) => ({
      files: [`src/${port}/${adapter}/**/*.ts`],
      rules: forbid(
        String.raw`^\.\./(?!\.\.)(?!${adapter}/)(embedded|eventstoredb|mongodb)/|@nestjs`,
        'An adapter knows its port and no other adapter.',
      ),
    })),
  ),
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
