import { expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import type { FlagDecisions } from '../../src/contexts/messages/flags/flag-decisions.js';
import { ReadMutedPeople } from '../../src/contexts/messages/reactors/mark-read.js';
import { PersonMuted } from '../../src/events/attention.js';
import { TestOrganization } from '../support/organization.js';
import { metadataOf } from '../support/given.js';
import { standIn } from '../support/stand-in.js';

/** More than the client events of one change name. */
const UNREAD = 50_500;

it('Muting a person marks all of their messages as read, in steps that are short', async () => {
  const organization = new TestOrganization();
  const [ada, bo] = [organization.register(), organization.register()];
  const unread = new Set(Array.from({ length: UNREAD }, (_, index) => 2 * index + 1));
  const steps: number[] = [];
  const search = {
    findPlaces: (
      _narrow: unknown,
      { window: { from }, limit }: { window: { from: number }; limit: number },
    ) =>
      Promise.resolve(
        [...unread]
          .filter((id) => id >= from)
          .slice(0, limit)
          .map((_id) => ({ _id })),
      ),
  };
  const flags = standIn<FlagDecisions>({
    open: () => Promise.resolve({ search, compile: () => Promise.resolve({}) }),
    apply: (_caller: unknown, _session: unknown, { messages }: { messages: readonly { _id: number }[] }) => {
      steps.push(messages.length);
      for (const { _id } of messages) unread.delete(_id);
      return Promise.resolve({ updatedCount: messages.length, ignoredChannelIds: [] });
    },
  });
  const follower = standIn<DirectoryFollower>({ current: () => organization.snapshot().directory });
  const reactor = new ReadMutedPeople(flags, follower);
  const facts = { id: 'cause', stream: 'attention', revision: 0, position: 0, erased: false };
  const data = { userId: ada, mutedUserId: bo };
  await reactor.on[PersonMuted.type]!({ type: PersonMuted.type, data, metadata: metadataOf(ada), ...facts });
  expect(unread.size).toBe(0);
  expect(Math.max(...steps)).toBe(1000);
  expect(steps).toHaveLength(51);
});
