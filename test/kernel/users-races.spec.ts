import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decideCreateUser } from '../../src/contexts/users/commands/create-user.js';
import { decideDeactivateUser } from '../../src/contexts/users/commands/deactivate-user.js';
import { decideUpdateUser } from '../../src/contexts/users/commands/update-user.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { owner, startPeopleNode, type PeopleNode } from '../support/people-node.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let nodes: PeopleNode[];

beforeEach(async () => {
  stores = await openTemporaryStores();
  nodes = [await startPeopleNode(stores), await startPeopleNode(stores), await startPeopleNode(stores)];
});

afterEach(async () => {
  await Promise.all(nodes.map(({ follower }) => follower.stop()));
  await stores.dispose();
});

function outcomes(attempts: readonly PromiseSettledResult<unknown>[]): string[] {
  return attempts
    .map((attempt) =>
      attempt.status === 'fulfilled'
        ? 'done'
        : attempt.reason instanceof ApplicationError
          ? attempt.reason.row
          : 'broken',
    )
    .sort();
}

describe('people on several nodes at once', () => {
  it('get an address once, whoever asks for it where', async () => {
    const spellings = ['bo@example.com', 'BO@example.com', ' Bo@Example.com'];
    const attempts = await Promise.allSettled(
      [...nodes, ...nodes].map((node, index) =>
        node.accounts.decide(owner, (state, by) => {
          const email = spellings[index % spellings.length] ?? '';
          const person = {
            email,
            emailDigest: node.emails.digest(email),
            fullName: 'Bo',
            password: 'secret',
          };
          return decideCreateUser(state, { ...person, unfinishedId: null }, by);
        }),
      ),
    );
    expect(outcomes(attempts)).toEqual(['done', ...Array<string>(5).fill('emailTaken')]);
  });

  it('get different ids', async () => {
    const ids = await Promise.all(
      nodes.flatMap((node, index) =>
        [1, 2, 3].map((each) => node.createUser(`p${index}${each}@example.com`)),
      ),
    );
    expect(new Set(ids).size).toBe(9);
    for (const node of nodes) {
      const users = await node.accounts.all();
      for (const id of ids) expect(users.users.get(id)?.isActive).toBe(true);
    }
  });

  it('never leave the organization without an owner', async () => {
    const [first, second] = nodes as [PeopleNode, PeopleNode];
    const other = await first.createUser('second@example.com');
    await first.accounts.decide(owner, (state, by) =>
      decideUpdateUser(state, { userId: other, fullName: null, role: 100, profile: [], newEmail: null }, by),
    );
    const attempts = await Promise.allSettled([
      first.accounts.decide(owner, (state, by) =>
        decideUpdateUser(
          state,
          { userId: other, fullName: null, role: 400, profile: [], newEmail: null },
          by,
        ),
      ),
      second.accounts.decide({ userId: other, client: 'test' }, (state, by) =>
        decideDeactivateUser(state, { userId: other }, by),
      ),
      second.accounts.decide({ userId: other, client: 'test' }, (state, by) =>
        decideUpdateUser(
          state,
          { userId: owner.userId, fullName: null, role: 400, profile: [], newEmail: null },
          by,
        ),
      ),
      first.accounts.decide(owner, (state, by) => decideDeactivateUser(state, { userId: owner.userId }, by)),
    ]);
    expect(outcomes(attempts)).toContain('done');
    expect((await first.accounts.all()).activeOwners).toBe(1);
  });
});
