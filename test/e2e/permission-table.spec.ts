import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PermissionRow } from '../../src/access/permission-row.js';
import { permissionTable, type PermissionName } from '../../src/access/permission-table.js';
import * as deciders from '../../src/access/permissions.js';
import { organizationPermissionNames } from '../../src/events/values/organization-permissions.js';
import { walk, type Attempt } from './permission-table/attempt.js';
import { channelAttempts } from './permission-table/channel-attempts.js';
import { messageAttempts } from './permission-table/message-attempts.js';
import { peopleAttempts } from './permission-table/people-attempts.js';
import { Stage } from './permission-table/stage.js';

const stage = new Stage();

beforeAll(() => stage.set());
afterAll(() => stage.clear());

const attempts: Readonly<Record<PermissionName, readonly Attempt[]>> = {
  ...channelAttempts(stage),
  ...messageAttempts(stage),
  ...peopleAttempts(stage),
};

const permissionNames = Object.keys(permissionTable) as readonly PermissionName[];

const walks = permissionNames.flatMap((name) =>
  attempts[name].map((attempt) => {
    const { permits }: PermissionRow = permissionTable[name];
    return [attempt.at === undefined ? permits : `${permits} (${attempt.at})`, attempt] as const;
  }),
);

describe('the permission', () => {
  it.each(walks)('%s is granted to its holders and to nobody else', async (_title, attempt) => {
    const { who, refusals } = await walk(stage, attempt);
    expect([...who].sort()).toEqual([...attempt.who].sort());
    expect(refusals).toContain('deactivated 401 UNAUTHORIZED');
    const others = refusals.filter((refusal) => !refusal.startsWith('deactivated'));
    expect(others.every((refusal) => refusal.startsWith('400 '))).toBe(true);
  });
});

describe('the table of permissions', () => {
  it('names every question of permission that the code can answer', () => {
    const named = new Set<unknown>(permissionNames.map((name) => permissionTable[name].decidedBy));
    const questions = Object.entries(deciders).filter(([name]) => /^(may|has|permits)[A-Z]/.test(name));
    expect(questions.filter(([, decider]) => !named.has(decider)).map(([name]) => name)).toEqual([]);
  });

  it('names every permission of the organization, but those that nothing asks yet', () => {
    const named = new Set(permissionNames.flatMap((name): readonly string[] => permissionTable[name].basis));
    const missing = organizationPermissionNames.filter((name) => !named.has(`organization ${name}`));
    expect(missing).toEqual(['can_manage_billing_group', 'can_summarize_topics_group']);
  });

  it('names operations that there are, and the documentation page tells of each what it asks', async () => {
    const document = (await (await fetch(`${stage.site}/api/docs-json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>;
    };
    for (const name of permissionNames) {
      const { operations, permits }: PermissionRow = permissionTable[name];
      for (const operation of operations) {
        const [method = '', path = ''] = operation.split(' ');
        const description = document.paths[`/api/v1${path}`]?.[method.toLowerCase()]?.description;
        expect([operation, description?.includes(permits)]).toEqual([operation, true]);
      }
    }
  });
});
