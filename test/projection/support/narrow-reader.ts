import { noAttention } from '../../../src/contexts/attention/attention.state.js';
import { knowsEveryone } from '../../../src/access/known-people.js';
import { visibilityPolicies } from '../../../src/events/attention.js';
import { Placements } from '../../../src/contexts/messages/placements.js';
import { noFlags } from '../../../src/contexts/messages/flags/flags.state.js';
import type { QuerySession } from '../../../src/contexts/messages/query-session.js';
import { createChannel } from '../../support/channels.js';
import { TestOrganization } from '../../support/organization.js';
import { channels, people } from './narrow-world.js';

/** Somebody who is subscribed to three channels, follows a topic, muted another, starred a few messages, and read the oldest and a later range. */
export function readerOf({
  readFrom,
  readThrough,
}: {
  readonly readFrom: number;
  readonly readThrough: number;
}): QuerySession['context'] {
  const organization = new TestOrganization();
  const everybody = Object.values(people).map(() => organization.register());
  for (const channelId of Object.values(channels)) {
    if (createChannel(organization, everybody) !== channelId)
      throw new Error('Channels are numbered otherwise');
  }
  const snapshot = organization.snapshot();
  const user = snapshot.directory.user(people.me);
  if (user === null) throw new Error('Nobody was registered');
  const topic = (name: string, policy: (typeof visibilityPolicies)[keyof typeof visibilityPolicies]) =>
    ({ channelId: channels.other, topic: name, topicKey: name, policy, changedAt: 0 }) as const;
  return {
    snapshot,
    user,
    placements: new Placements(),
    attention: {
      ...noAttention,
      topics: [topic('followed', visibilityPolicies.followed), topic('muted', visibilityPolicies.muted)],
    },
    flags: {
      ...noFlags,
      starred: [{ from: 21, through: 23 }],
      read: [
        { from: 1, through: 20 },
        { from: readFrom, through: readThrough },
      ],
    },
    userByEmail: () => null,
    knows: knowsEveryone,
  };
}
