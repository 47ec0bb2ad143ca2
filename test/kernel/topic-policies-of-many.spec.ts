import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import type { AttentionReader } from '../../src/contexts/attention/attention-reader.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import {
  AutomaticTopicPolicies,
  MENTIONED_AT_ONCE,
  MENTIONED_BEFORE_REPLY,
} from '../../src/contexts/messages/sending/automatic-topic-policies.js';
import { MessageSent } from '../../src/events/messages.js';
import { personalStream } from '../../src/events/personal.js';
import { Decisions } from '../../src/http/decisions.js';
import { isEvent, type Recorded } from '../../src/kernel/event.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { EventLog } from '../../src/stores/event-store/event-log.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { EventStore } from '../../src/stores/event-store/port.js';
import { countingEventStore, type Asked } from '../support/counting-event-store.js';
import { metadataOf, TestLog } from '../support/given.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { waitForNobody } from '../support/decisions-over.js';

const followed = 3;
const senderId = 3;
const mentionedIds = Array.from({ length: 500 }, (_, index) => 1_000 + index);

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});

afterEach(() => stores.dispose());

/** Counts the appends that go on at the same time, or refuses them. */
class BusyStore {
  most = 0;
  isBroken = false;
  private now = 0;

  of(store: EventStore): EventStore {
    const append = async (...input: Parameters<EventStore['append']>): ReturnType<EventStore['append']> => {
      if (this.isBroken) throw new Error('No disk');
      this.most = Math.max(this.most, (this.now += 1));
      return store.append(...input).finally(() => (this.now -= 1));
    };
    return Object.create(store, { append: { value: append } }) as EventStore;
  }
}

/** Where the read model has the message. */
type Place = Pick<MessageDocument, 'channelId' | 'topic'>;

/** What a process that has read nothing yet asks of the event store. */
function startProcess(place: Place | null = null): {
  policies: AutomaticTopicPolicies;
  asked: Asked;
  busy: BusyStore;
} {
  const busy = new BusyStore();
  const { store, asked } = countingEventStore(busy.of(stores.eventStore));
  const follower = standIn<DirectoryFollower>({ current: () => null });
  const streams = new FoldedStreams(new EventLog(store, stores.codec));
  const decisions = new Decisions(streams, follower, new SystemClock(), waitForNobody);
  const model = { collection: () => ({ findOne: () => Promise.resolve(place) }) };
  const messages = standIn<MessageReader>({ model: () => Promise.resolve(model) });
  const attention = standIn<AttentionReader>({});
  return { policies: new AutomaticTopicPolicies(follower, messages, attention, decisions), asked, busy };
}

/** A message that makes its sender and those whom it mentions follow its topic. */
function message(mentioned: readonly number[]): Recorded<typeof MessageSent> {
  const topicWishes = [...mentioned, senderId].map((userId) => ({ userId, policy: followed }));
  const mentions = { userIds: [...mentioned], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId: 1, topic: 'looms' };
  const data = { senderId, recipient, content: 'x', mentions, references: {}, topicWishes };
  const [event] = new TestLog().append('messages', [{ type: 'MessageSent', data }]);
  if (!isEvent(event, MessageSent)) throw new Error('It is a message');
  return event;
}

const streamsOf = (userIds: readonly number[]): readonly string[] => userIds.map(personalStream).sort();

describe('a message that mentions hundreds of people', () => {
  const event = message(mentionedIds);
  const first = [senderId, ...mentionedIds.slice(0, MENTIONED_BEFORE_REPLY)];

  it('has its reply wait for the policies of its sender and a few others only', async () => {
    const { policies, asked } = startProcess();
    expect(await policies.beforeReply(event)).toBe(followed);
    expect([...asked.appends].sort()).toEqual(streamsOf(first));
    expect([...asked.reads].sort()).toEqual(streamsOf(first));
  });

  it('gets the others’ policies later, a few at once, and nobody’s twice', async () => {
    const { policies, asked, busy } = startProcess();
    await policies.beforeReply(event);
    busy.most = 0;
    await policies.afterSending(event);
    expect(busy.most).toBe(MENTIONED_AT_ONCE);
    expect([...asked.appends].sort()).toEqual(streamsOf([senderId, ...mentionedIds]));
    expect([...asked.reads].sort()).toEqual(streamsOf([senderId, ...mentionedIds]));
  });

  it('gets them once also where the reactor comes before the reply', async () => {
    const { policies, asked } = startProcess();
    const reacting = policies.afterSending(event);
    expect(await policies.beforeReply(event)).toBe(followed);
    await reacting;
    expect(asked.appends).toHaveLength(1 + mentionedIds.length);
    expect(asked.reads).toHaveLength(1 + mentionedIds.length);
  });

  it('gets in a new process what an earlier one did not come to', async () => {
    await startProcess().policies.beforeReply(event);
    const { policies, asked } = startProcess();
    await policies.afterSending(event);
    expect([...asked.appends].sort()).toEqual(streamsOf(mentionedIds.slice(MENTIONED_BEFORE_REPLY)));
  });
});

describe('what happened before the policies of the later ones were set:', () => {
  const mentioned = mentionedIds.slice(0, MENTIONED_BEFORE_REPLY + 2);
  const [muter, other] = mentioned.slice(-2) as [number, number];
  const event = message(mentioned);

  /** The last topic policy in somebody's stream. */
  const policyOf = async (userId: number): Promise<unknown> => {
    const page = { direction: 'backwards', limit: 1 } as const;
    return (await stores.log.readStream(personalStream(userId), page))[0]?.data;
  };

  it('whoever muted the topic does not follow it', async () => {
    const { policies } = startProcess();
    await policies.beforeReply(event);
    const muting = { userId: muter, channelId: 1, topic: 'looms', policy: 1 } as const;
    const events = [{ type: 'TopicVisibilityChanged', data: muting }] as const;
    await stores.log.append(
      { stream: personalStream(muter), expected: 'no-stream' },
      events,
      metadataOf(muter),
    );
    await policies.afterSending(event);
    expect(await policyOf(muter)).toEqual(muting);
    expect(await policyOf(other)).toEqual({ userId: other, channelId: 1, topic: 'looms', policy: followed });
  });

  it('they follow the topic that the message was moved to', async () => {
    const { policies } = startProcess({ channelId: 1, topic: 'warps' });
    await policies.afterSending(event);
    expect(await policyOf(other)).toMatchObject({ topic: 'warps', policy: followed });
    expect(await policyOf(mentioned[0]!)).toMatchObject({ topic: 'looms', policy: followed });
  });

  it('they follow nothing if it left the channel', async () => {
    const { policies } = startProcess({ channelId: 2, topic: 'looms' });
    await policies.afterSending(event);
    expect(await policyOf(other)).toBeUndefined();
  });
});

describe('a message that mentions a few people', () => {
  it('has their policies when it is replied to, and nothing is left for the reactor', async () => {
    const { policies, asked } = startProcess();
    const event = message(mentionedIds.slice(0, MENTIONED_BEFORE_REPLY));
    await policies.beforeReply(event);
    expect(asked.appends).toHaveLength(1 + MENTIONED_BEFORE_REPLY);
    const { appends, reads } = { appends: asked.appends.length, reads: asked.reads.length };
    await policies.afterSending(event);
    expect([asked.appends.length, asked.reads.length]).toEqual([appends, reads]);
  });

  it('gets them from the reactor where an append failed before the reply', async () => {
    const { policies, asked, busy } = startProcess();
    const event = message([]);
    busy.isBroken = true;
    await expect(policies.beforeReply(event)).rejects.toThrow('No disk');
    busy.isBroken = false;
    await policies.afterSending(event);
    expect(asked.appends).toEqual(Array(2).fill(personalStream(senderId)));
    expect(await policies.beforeReply(event)).toBe(followed);
    expect(asked.appends).toHaveLength(2);
  });
});
