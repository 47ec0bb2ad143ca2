import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { SubscriptionEvent } from '../../src/events/subscriptions.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import { Placements, visibilityAfterMove, type Placement } from '../../src/contexts/messages/placements.js';
import type { MessageEvent, Recipient } from '../../src/events/messages.js';
import { noAttention } from '../../src/contexts/attention/attention.state.js';
import { noFlags } from '../../src/contexts/messages/flags/flags.state.js';
import { knowsEveryone } from '../../src/access/known-people.js';
import {
  propagationModes,
  type MoveEvent,
  type MoveSelection,
  type PropagationMode,
} from '../../src/events/message-moves.js';
import { parseNarrow } from '../../src/contexts/messages/narrow/terms.js';
import { readPage } from '../../src/contexts/messages/narrow/page.js';
import { MAX_MESSAGE_ID } from '../../src/contexts/messages/narrow/sources.js';
import { QuerySession } from '../../src/contexts/messages/query-session.js';
import { flagsOf } from '../../src/contexts/messages/view/flags.js';
import { MessageCache } from '../../src/contexts/messages/view/message-cache.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores } from '../support/temporary-stores.js';
import { rebuildModel } from '../support/rebuild-model.js';

const people = 4;
const guest = people - 1;

/** What a random history consists of; people and channels by their numbers, from 0. */
type Step =
  | { readonly kind: 'join' | 'leave'; readonly person: number; readonly channel: number }
  | { readonly kind: 'send'; readonly person: number; readonly channel: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly person: number; readonly others: readonly number[] }
  | { readonly kind: 'delete'; readonly message: number }
  | {
      readonly kind: 'move';
      readonly person: number;
      readonly message: number;
      readonly mode: PropagationMode;
      readonly channel: number;
      readonly topic: string;
    };

const person = fc.nat(people - 1);
const channel = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('join' as const, 'leave' as const), person, channel }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      person,
      channel,
      topic: fc.constantFrom('a', 'b'),
    }),
  },
  fc.record({
    kind: fc.constant('direct' as const),
    person,
    others: fc.array(person, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), message: fc.nat(20) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      person,
      message: fc.nat(20),
      mode: fc.constantFrom(...propagationModes),
      channel,
      topic: fc.constantFrom('a', 'B', 'b'),
    }),
  },
);

/** Who may read what, kept as simply as can be: a row for each reader of each message. */
class RowPerReader {
  readonly subscribers = [new Set<number>(), new Set<number>(), new Set<number>()];
  readonly messages: {
    id: number;
    channel: number | null;
    topic: string;
    readers: Set<number>;
    /** Those of them whom a move made readers: for them it is read. */
    given: Set<number>;
    deleted: boolean;
  }[] = [];

  send(channel: number | null, topic: string, readers: Iterable<number>): void {
    const id = this.messages.length + 1;
    this.messages.push({
      id,
      channel,
      topic,
      readers: new Set(readers),
      given: new Set(),
      deleted: false,
    });
  }

  /** Moves what the person can see of the topic of a message. */
  move(id: number, { person, mode, channel, topic }: Extract<Step, { kind: 'move' }>): void {
    const target = this.messages[id - 1]!;
    const { channel: from, topic: oldTopic } = target;
    const visible = new Set(this.found(person, from));
    for (const one of this.messages) {
      const isInTopic = one.channel === from && one.topic.toLowerCase() === oldTopic.toLowerCase();
      if (one.deleted || !isInTopic || !visible.has(one.id)) continue;
      if (mode === 'change_one' && one.id !== target.id) continue;
      if (mode === 'change_later' && one.id < target.id) continue;
      one.topic = topic;
      if (channel === from) continue;
      one.channel = channel;
      for (const reader of [...one.readers]) {
        if (this.subscribers[channel]!.has(reader)) continue;
        one.readers.delete(reader);
        one.given.delete(reader);
      }
      if (channel !== 2) continue;
      for (const subscriber of this.subscribers[2]!) {
        if (!one.readers.has(subscriber)) one.given.add(subscriber);
        one.readers.add(subscriber);
      }
    }
  }

  /** Channel 0 is public, 1 private with shared history, 2 private with protected history. */
  private reads(person: number, channel: number): 'all' | 'received' | 'none' {
    const subscribed = this.subscribers[channel]!.has(person);
    if (channel === 0) return subscribed || person !== guest ? 'all' : 'none';
    if (!subscribed) return 'none';
    return channel === 1 ? 'all' : 'received';
  }

  /** Ids that the person finds in their own history, or in one channel's. */
  found(person: number, channel: number | null): number[] {
    return this.messages
      .filter((message) => !message.deleted && (channel === null || message.channel === channel))
      .filter((message) => {
        const received = message.readers.has(person);
        const history = message.channel === null ? 'received' : this.reads(person, message.channel);
        if (history === 'none') return false;
        return received || (channel !== null && history === 'all');
      })
      .map(({ id }) => id);
  }

  flags(person: number, id: number): string[] {
    const { readers } = this.messages[id - 1]!;
    return readers.has(person) ? [] : ['historical'];
  }

  /** Whether it counts as read because a move alone made the person a reader. */
  isGiven(person: number, id: number): boolean {
    const { readers, given } = this.messages[id - 1]!;
    return readers.has(person) && given.has(person);
  }
}

const privacyOf = [
  { inviteOnly: false, historyPublicToSubscribers: true, isWebPublic: false },
  { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false },
  { inviteOnly: true, historyPublicToSubscribers: false, isWebPublic: false },
];

/** One message, however it came to its channel. */
function rangesOf(id: number): NonNullable<MoveSelection['visible']> {
  const arrivals = Array.from({ length: 200 }, (_, index) => index + 1);
  return [null, arrivals].map((some) => ({ after: id - 1, through: id, arrivals: some }));
}

/** The product's own history of the same steps. */
class History {
  readonly organization = new TestOrganization();
  readonly naive = new RowPerReader();
  readonly people = Array.from({ length: people }, (_, index) =>
    this.organization.register({ role: index === guest ? 600 : 400 }),
  );
  readonly channels: readonly number[];
  private readonly changes: { readonly stream: string; readonly event: MessageEvent | MoveEvent }[] = [];

  constructor(steps: readonly Step[]) {
    this.channels = privacyOf.map((privacy) => createChannel(this.organization, [], { privacy }));
    steps.forEach((one) => this.take(one));
  }

  get events(): readonly { readonly stream: string; readonly event: DomainEvent }[] {
    return this.changes;
  }

  private take(one: Step): void {
    switch (one.kind) {
      case 'join':
      case 'leave':
        return this.subscribe(one);
      case 'send':
        return this.send(one);
      case 'direct':
        return this.direct(one);
      case 'delete':
        return this.delete(one.message);
      case 'move':
        return this.move(one);
    }
  }

  private subscribe({ kind, person: who, channel: where }: Extract<Step, { kind: 'join' | 'leave' }>): void {
    const [channelId, userIds] = [this.channels[where]!, [this.people[who]!]];
    const last = this.naive.messages.length;
    const event: SubscriptionEvent =
      kind === 'join'
        ? {
            type: 'UsersSubscribed',
            data: { channelId, userIds, afterMessageId: last, color: null, notify: false, continuation: [] },
          }
        : {
            type: 'UsersUnsubscribed',
            data: { channelId, userIds, throughMessageId: last, continuation: [] },
          };
    this.organization.log.append(`channel-${channelId}`, [event]);
    if (kind === 'join') this.naive.subscribers[where]!.add(who);
    else this.naive.subscribers[where]!.delete(who);
  }

  private send({ person: who, channel: where, topic }: Extract<Step, { kind: 'send' }>): void {
    this.sent(who, { type: 'channel', channelId: this.channels[where]!, topic });
    this.naive.send(where, topic, this.naive.subscribers[where]!);
  }

  private direct({ person: who, others }: Extract<Step, { kind: 'direct' }>): void {
    const all = [...new Set([who, ...others])].sort((a, b) => a - b);
    this.sent(who, { type: 'direct', userIds: all.map((index) => this.people[index]!) });
    this.naive.send(null, '', all);
  }

  private sent(who: number, recipient: Recipient): void {
    const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
    const data = {
      senderId: this.people[who]!,
      recipient,
      content: 'x',
      references: {},
      mentions,
      readBySender: false,
    };
    this.changes.push({ stream: 'messages', event: { type: 'MessageSent', data } });
  }

  /** Moves what the person can see, if they can see the message. */
  private move(one: Extract<Step, { kind: 'move' }>): void {
    const { messages } = this.naive;
    const target = messages[one.message % Math.max(messages.length, 1)];
    if (target === undefined || target.deleted || target.channel === null) return;
    const visible = this.naive.found(one.person, target.channel);
    if (!visible.includes(target.id)) return;
    const [from, to] = [this.channels[target.channel]!, this.channels[one.channel]!];
    if (from === to && target.topic === one.topic) return;
    const revision =
      this.organization.log.events.filter(({ stream }) => stream === `channel-${to}`).length - 1;
    const event: MoveEvent = {
      type: 'MessagesMoved',
      data: {
        messageId: target.id,
        mode: one.mode,
        selection: {
          channelId: from,
          topic: target.topic,
          bounds: {
            after: one.mode === 'change_all' ? 0 : target.id - 1,
            through: one.mode === 'change_one' ? target.id : null,
          },
          visible: target.channel === 2 ? visible.flatMap(rangesOf) : null,
        },
        newTopic: one.topic,
        newChannel:
          from === to
            ? null
            : { channelId: to, reception: visibilityAfterMove(privacyOf[one.channel]!, revision) },
        notify: { oldThread: false, newThread: false },
      },
    };
    this.changes.push({ stream: `channel-${from}`, event });
    this.naive.move(target.id, one);
  }

  private delete(message: number): void {
    const target = this.naive.messages[message];
    if (target === undefined || target.deleted) return;
    target.deleted = true;
    const data = { messageId: target.id, senderId: null, recipient: null };
    this.changes.push({ stream: `message-${target.id}`, event: { type: 'MessageDeleted', data } });
  }
}

describe('what anyone finds', () => {
  it('is what a row for each reader of each message would say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const history = new History(steps);
        const stores = await openTemporaryStores();
        try {
          const lengths = new Map<string, number>();
          for (const { stream, event } of history.events) {
            const length = lengths.get(stream) ?? 0;
            lengths.set(stream, length + 1);
            const expected = stream === 'messages' ? 'any' : length === 0 ? 'no-stream' : length - 1;
            const metadata = {
              actorId: null,
              commandId: randomCommandId(),
              causationId: null,
              client: 't',
              at: 0,
            };
            await stores.log.append({ stream, expected }, [event], metadata);
          }
          const signal = new AbortController().signal;
          const options = { processName: 'test', logger: silentLogger, signal };
          const { model } = await rebuildModel(stores, messagesProjection, options);
          const placements = new Placements();
          placements.add(await model.collection<Placement>('arrivals').find({}, { sort: { _id: 1 } }));
          await compare(
            history,
            placements,
            (context) => new QuerySession(model, context, new MessageCache()),
          );
        } finally {
          await stores.dispose();
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** Who left a channel is done with it: what they have read is for another test. */
function arrivalFlags(flags: readonly string[]): readonly string[] {
  return flags.filter((flag) => flag !== 'read');
}

const format = { applyMarkdown: true, clientGravatar: true, allowEmptyTopicName: true };

async function compare(
  { organization, naive, people: ids, channels }: History,
  placements: Placements,
  open: (context: QuerySession['context']) => QuerySession,
): Promise<void> {
  const snapshot = organization.snapshot();
  for (const [who, userId] of ids.entries()) {
    const user = organization.user(userId);
    const context = {
      snapshot,
      user,
      placements,
      userByEmail: () => null,
      flags: noFlags,
      knows: knowsEveryone,
    };
    const session = open({ ...context, attention: noAttention });
    for (const where of [null, 0, 1, 2]) {
      const terms = where === null ? [] : parseNarrow([{ operator: 'channel', operand: channels[where] }]);
      const all = {
        anchor: { type: 'id', id: MAX_MESSAGE_ID },
        includeAnchor: true,
        before: 5000,
        after: 0,
      } as const;
      const { messages } = await readPage(await session.compile(terms), all, session.search.states);
      const found = messages.map(({ _id }) => _id);
      expect([who, where, found]).toEqual([who, where, naive.found(who, where)]);
      for (const { document } of await session.load(messages)) {
        const reader = { ...session.context, ...format };
        expect(arrivalFlags(flagsOf(document, reader))).toEqual(naive.flags(who, document._id));
        if (naive.isGiven(who, document._id)) expect(flagsOf(document, reader)).toContain('read');
      }
      const page = { anchor: { type: 'id', id: 0 }, includeAnchor: true, before: 0, after: 3 } as const;
      const first = await readPage(await session.compile(terms), page, session.search.states);
      expect(first.messages.map(({ _id }) => _id)).toEqual(found.slice(0, 3));
    }
    for (const { id } of naive.messages) {
      const accessible = [null, 0, 1, 2].some((where) => naive.found(who, where).includes(id));
      expect([who, id, (await session.get(id)) !== null]).toEqual([who, id, accessible]);
    }
  }
}
