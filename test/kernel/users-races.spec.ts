import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decideCreateUser, decideUpdateUser } from '../../src/contexts/users/users.decide.js';
import { decideDeactivateUser } from '../../src/contexts/users/deactivation.decide.js';
import { foldedUsers } from '../../src/contexts/users/users.state.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { eventually } from '../support/eventually.js';
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
  it('cannot get the same address, on any node', async () => {
    const spellings = ['bo@example.com', 'BO@example.com', ' Bo@Example.com'];
    const attempts = await Promise.allSettled(
      [...nodes, ...nodes].map((node, index) =>
        node.decisions.decide(owner, foldedUsers, (state, by) => {
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
      const users = await node.decisions.load(foldedUsers);
      for (const id of ids) expect(users.users.get(id)?.isActive).toBe(true);
    }
  });

  it('never leave the organization without an owner', async () => {
    const [first, second] = nodes as [PeopleNode, PeopleNode];
    const other = await first.createUser('second@example.com');
    // Waits for this node's directory, which may lag: decisions look the actor up in it.
    await eventually(
      async () => second.follower.current().user(other),
      (user) => user !== null,
    );
    await first.decisions.decide(owner, foldedUsers, (state, by) =>
      decideUpdateUser(state, { userId: other, fullName: null, role: 100, profile: [], newEmail: null }, by),
    );
    const attempts = await Promise.allSettled([
      first.decisions.decide(owner, foldedUsers, (state, by) =>
        decideUpdateUser(
          state,
          { userId: other, fullName: null, role: 400, profile: [], newEmail: null },
          by,
        ),
      ),
      second.decisions.decide({ userId: other, client: 'test' }, foldedUsers, (state, by) =>
        decideDeactivateUser(state, { userId: other }, by),
      ),
      second.decisions.decide({ userId: other, client: 'test' }, foldedUsers, (state, by) =>
        decideUpdateUser(
          state,
          { userId: owner.userId, fullName: null, role: 400, profile: [], newEmail: null },
          by,
        ),
      ),
      first.decisions.decide(owner, foldedUsers, (state, by) =>
        decideDeactivateUser(state, { userId: owner.userId }, by),
      ),
    ]);
    expect(outcomes(attempts)).toContain('done');
    expect((await first.decisions.load(foldedUsers)).activeOwners).toBe(1);
  });
});
