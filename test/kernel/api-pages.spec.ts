import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { channelPermissionTable } from '../../src/access/channel-permission-values.js';
import { groupPermissionTable } from '../../src/access/group-permission-values.js';
import { operatorNames } from '../../src/contexts/messages/narrow/terms.js';
import { organizationPermissionNames } from '../../src/events/values/organization-permissions.js';
import { apiNameOf } from '../../src/contexts/organization/setting-names.js';
import { organizationSettingNames } from '../../src/events/values/organization-settings.js';
import { settingNames } from '../../src/events/values/setting-table.js';
import { budgets, type Budget } from '../../src/kernel/budgets.js';
import { errorTable } from '../../src/kernel/errors.js';
import { clientCapabilitiesSchema } from '../../src/realtime/queues/client-capabilities.js';
import { areaPages, namesIn, pageText, rowsUnder } from '../support/api-pages.js';

/** The parts of the OpenAPI document that are checked. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const api = JSON.parse(readFileSync('test/golden/files/openapi.json', 'utf8')) as ApiDocument;
const prefix = '/api/v1';

/** The endpoint's name on the pages: without the prefix of the API, or with the server's address. */
function pageName(verb: string, path: string): string {
  return `${verb.toUpperCase()} ${path.startsWith(prefix) ? path.slice(prefix.length) : `{site}${path}`}`;
}

/** The rows of the tables under a heading of every page. */
function rowsOfPages(heading: string): readonly (readonly string[])[] {
  return areaPages.flatMap((page) => rowsUnder(page, heading));
}

describe('The pages about the API', () => {
  it('name every endpoint in the table of one page, and no other', () => {
    const named = rowsOfPages('Endpoints').flatMap(([request = '']) => namesIn(request));
    const existing = Object.entries(api.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => pageName(verb, path)),
    );
    expect([...named].sort()).toEqual(existing.sort());
  });

  it('say of every endpoint what it does and who may', () => {
    const rows = rowsOfPages('Endpoints');
    expect(rows.filter((cells) => cells.length !== 3 || cells.includes(''))).toEqual([]);
  });

  it('are in the index', () => {
    const index = pageText('README.md');
    expect(areaPages.filter((page) => !index.includes(`| [${page}](${page})`))).toEqual([]);
  });

  it('have between 60 and 200 lines each', () => {
    const lengths = areaPages.map((page) => [page, pageText(page).split('\n').length] as const);
    expect(lengths.filter(([, length]) => length < 60 || length > 200)).toEqual([]);
  });
});

/** Limits that no request can reach: those of traces. */
const ofOperators = ['spansOfTrace', 'spansWaiting'];

const sizes = { KiB: 1_024, MiB: 1_048_576 } as const;

/** The number at the beginning of a cell. */
function shownNumber(text: string): number {
  const [, digits = '', unit] = /^([\d,]+)(?: (KiB|MiB)\b)?/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : sizes[unit as keyof typeof sizes]);
}

/** The pages' text for what happens beyond a limit. */
function shownOver(over: Budget['over']): string {
  if (over === 'cut' || over === 'as typed') return over;
  return `${errorTable[over].status} \`${errorTable[over].code}\``;
}

describe('The limits on the pages about the API', () => {
  const rows = rowsOfPages('Limits').map(([max = '', over = '', name = '']) => ({
    name: namesIn(name)[0] ?? '',
    max: shownNumber(max),
    over,
  }));

  it('are those of the code, each on one page', () => {
    const all = Object.entries(budgets).map(([name, { max, over }]) => ({
      name,
      max: max,
      over: shownOver(over),
    }));
    const expected = all.filter(({ name }) => !ofOperators.includes(name));
    const byName = (left: { name: string }, right: { name: string }): number =>
      left.name < right.name ? -1 : 1;
    expect([...rows].sort(byName)).toEqual(expected.sort(byName));
  });
});

describe('The page about conventions', () => {
  it('has every code of an error, with its statuses', () => {
    const rows = rowsUnder('conventions.md', 'Codes').map(([code = '', statuses = '']) => [
      namesIn(code)[0] ?? '',
      statuses.split(', ').map(Number),
    ]);
    const statuses = new Map<string, Set<number>>();
    for (const { code, status } of Object.values(errorTable)) {
      statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
    }
    const expected = [...statuses].map(([code, some]) => [code, [...some].sort()]);
    expect(rows.sort()).toEqual(expected.sort());
  });
});

describe('The page about events', () => {
  it('lists exactly the events that clients get', () => {
    const named = rowsUnder('events.md', 'Every event').flatMap(([event = '']) => {
      const [type = '', ...operations] = namesIn(event);
      return operations.length === 0 ? [type] : operations.map((operation) => `${type} ${operation}`);
    });
    expect([...named].sort()).toEqual([...new Set(toldEvents())].sort());
  });

  it('has every capability of clients, and no other', () => {
    const named = rowsUnder('events.md', 'Client capabilities').flatMap(([name = '']) => namesIn(name));
    expect([...named].sort()).toEqual(Object.keys(clientCapabilitiesSchema.shape).sort());
  });
});

/** The part of an event's schema that gives its type. */
interface EventSchema {
  readonly properties?: {
    readonly type?: { readonly const?: string; readonly enum?: readonly string[] };
    readonly op?: { readonly const?: string; readonly enum?: readonly string[] };
  };
}

function toldEvents(): readonly string[] {
  return Object.entries(api.components.schemas)
    .filter(([name]) => name.endsWith('Event'))
    .flatMap(([, schema]) => {
      const { type, op } = (schema as EventSchema).properties ?? {};
      const [typeName] = type?.enum ?? [type?.const];
      if (typeName === undefined) return [];
      const [operation] = op?.enum ?? [op?.const];
      return [operation === undefined ? typeName : `${typeName} ${operation}`];
    });
}

describe('The pages about what people may set', () => {
  const cases = [
    { page: 'channels.md', heading: 'Permissions of a channel', names: Object.keys(channelPermissionTable) },
    { page: 'groups.md', heading: 'Groups of one.s own', names: Object.keys(groupPermissionTable) },
    { page: 'organization.md', heading: 'Permissions', names: organizationPermissionNames },
    { page: 'organization.md', heading: 'Changing it', names: organizationSettingNames.map(apiNameOf) },
    { page: 'narrows.md', heading: 'Terms', names: operatorNames },
  ];

  it.each(cases)('$page has every name under "$heading"', ({ page, heading, names }) => {
    const rows = rowsUnder(page, heading);
    const named = rows.flatMap((cells) => namesIn(cells.slice(0, 2).join(' ')));
    expect(names.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('personal.md has every setting', () => {
    const named = namesIn(pageText('personal.md'));
    expect(settingNames.filter((name) => !named.includes(name))).toEqual([]);
  });
});
