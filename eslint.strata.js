/**
 * The strata of the source, from the ground up. A file may import what stands in its own stratum and in those before it
 * (docs/architecture.md). A stratum is told by its folders alone. Of a pure one, `impure` are the files that touch a machine: in `access`, what
 * loads the directory and keeps it up to date.
 */

export const strata = [
  { name: 'kernel', paths: ['src/kernel/'], isPure: true },
  { name: 'runtime', paths: ['src/runtime/'] },
  { name: 'configuration', paths: ['src/configuration/', 'src/config.ts'] },
  { name: 'markdown', paths: ['src/markdown/'], isPure: true },
  { name: 'events', paths: ['src/events/'], isPure: true },
  { name: 'stores', paths: ['src/stores/'] },
  { name: 'projection engine', paths: ['projections/engine/'] },
  {
    name: 'access',
    paths: ['src/access/'],
    isPure: true,
    impure: ['src/access/{directory-follower,load-directory}.ts'],
  },
  { name: 'http', paths: ['src/http/'] },
  { name: 'reader threads', paths: ['src/reader-threads/'] },
  { name: 'realtime', paths: ['src/realtime/'] },
  { name: 'contexts', paths: ['src/contexts/'] },
  { name: 'projections', paths: ['projections/'], isPure: true },
  { name: 'audit, erasure and operations', paths: ['src/audit/', 'src/erasure/', 'src/operations/'] },
  { name: 'node and command line', paths: ['src/node/', 'src/cli/', 'src/app.module.ts', 'src/main.ts'] },
];

/**
 * What never touches a machine though its stratum is not pure, told by suffix or folder: states, rules, what people are shown, what read
 * models keep, and the values that narrows and messages are made of. A test holds for what these run that it does not either (strata.spec.ts).
 */
export const pureInContexts = [
  'src/{contexts,audit,erasure,operations}/**/*.{state,decide,view}.ts',
  'src/contexts/**/read-model.ts',
  'src/contexts/messages/{narrow,view}/**/*.ts',
];

const machine = '^(?:node:|@nestjs|libsql|mongodb$|@eventstore|fastify)';
const dispatch = String.raw`/(?:commands|queries)/.*\.js$|\.parameters\.js$`;
const runtime = String.raw`/runtime/.*\.js$|/key-store/vault\.js$|/event-store/event-log\.js$`;
const adapters = String.raw`stores/[a-z-]+-store/(?:embedded|eventstoredb|mongodb|directory|s3)/|stores/(?:sqlite|mongodb)/`;

/** An expression that matches what a pure file never writes to import. */
export const impureImports = `${machine}|${dispatch}|${runtime}|${adapters}`;

/** What a pure file never reads either: its results would differ from one run to the next. */
export const clocksAndChance = [
  ['Date', 'now'],
  ['performance', 'now'],
  ['Math', 'random'],
  ['crypto', 'randomUUID'],
  ['crypto', 'getRandomValues'],
];

/** The place of a file among {@link strata}; -1: it is in none. The most exact path counts. */
export function stratumOf(file) {
  let found = -1;
  let length = 0;
  for (const [place, { paths }] of strata.entries()) {
    const path = paths.find((one) => file.startsWith(one));
    if (path !== undefined && path.length > length) [found, length] = [place, path.length];
  }
  return found;
}

/** An expression that matches what a file of a stratum writes to import from one above it. */
export function importsFromAbove(place) {
  const above = [...strata.slice(place + 1).flatMap(({ paths }) => paths.map(specifierOf)), 'console/'];
  return String.raw`^(?:\.\./)+(?:${above.join('|')})|^\./(?:app\.module|main)\.js$`;
}

/** What follows the dots where a path is imported from. */
function specifierOf(path) {
  if (path === 'projections/')
    return String.raw`projections/(?!engine/)|[a-z-]+\.projection\.js$|registry\.js$`;
  return path.replace(/^src\//, '(?:src/)?').replace(/\.ts$/, String.raw`\.js`);
}
