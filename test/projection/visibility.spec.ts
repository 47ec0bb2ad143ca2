import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rebuildModel } from '../../projections/engine/rebuild-model.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { SubscriptionEvent } from '../../src/channels/events.js';
import { randomCommandId } from '../../src/event-store/event-id.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import type { MessageEvent, Recipient } from '../../src/messages/events.js';
import { noAttention } from '../../src/attention/attention.js';
import { noFlags } from '../../src/messages/flags/personal-flags.js';
import { parseNarrow } from '../../src/messages/narrow/terms.js';
import { readPage } from '../../src/messages/narrow/page.js';
import { largestMessageId } from '../../src/messages/narrow/sources.js';
import { Reading } from '../../src/messages/reading.js';
import { flagsOf } from '../../src/messages/view/flags.js';
import { MessageCache } from '../../src/messages/view/message-cache.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores } from '../support/temporary-stores.js';

const people = 4;
const guest = people - 1;

/** What a random history consists of; people and channels by their numbers, from 0. */
type Step =
  | { readonly kind: 'join' | 'leave'; readonly person: number; readonly channel: number }
  | { readonly kind: 'send'; readonly person: number; readonly channel: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly person: number; readonly others: readonly number[] }
  | { readonly kind: 'delete'; readonly message: number };

const person = fc.nat(people - 1);
const channel = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('join' as const, 'leave' as const), person, channel }),
  fc.record({ kind: fc.constant('send' as const), person, channel, topic: fc.constantFrom('a', 'b') }),
  fc.record({
    kind: fc.constant('direct' as const),
    person,
    others: fc.array(person, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), message: fc.nat(20) }),
);

/** Who may read what, kept as simply as can be: a row for each reader of each message. */
class RowPerReader {
  readonly subscribers = [new Set<number>(), new Set<number>(), new Set<number>()];
  readonly messages: {
    id: number;
    channel: number | null;
    topic: string;
    readers: Set<number>;
    deleted: boolean;
  }[] = [];

  send(channel: number | null, topic: string, readers: Iterable<number>): void {
    const id = this.messages.length + 1;
    this.messages.push({ id, channel, topic, readers: new Set(readers), deleted: false });
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
    return this.messages[id - 1]!.readers.has(person) ? [] : ['read', 'historical'];
  }
}

/** The product's own history of the same steps. */
class History {
  readonly organization = new TestOrganization();
  readonly naive = new RowPerReader();
  readonly people = Array.from({ length: people }, (_, index) =>
    this.organization.register({ role: index === guest ? 600 : 400 }),
  );
  readonly channels: readonly number[];
  private readonly changes: { readonly stream: string; readonly event: MessageEvent }[] = [];

  constructor(steps: readonly Step[]) {
    const privacy = (inviteOnly: boolean, historyPublicToSubscribers: boolean): object => ({
      privacy: { inviteOnly, historyPublicToSubscribers, isWebPublic: false },
    });
    this.channels = [privacy(false, true), privacy(true, true), privacy(true, false)].map((settings) =>
      createChannel(this.organization, [], settings),
    );
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

  private delete(message: number): void {
    const target = this.naive.messages[message];
    if (target === undefined || target.deleted) return;
    target.deleted = true;
    const data = { messageId: target.id };
    this.changes.push({ stream: `message-${target.id}`, event: { type: 'MessageDeleted', data } });
  }
}

describe('what anyone finds', () => {
  it('is what a row for each reader of each message would say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const history = new History(steps);
        const stores = await openTemporaryStores();
        try {
          for (const { stream, event } of history.events) {
            const expected = stream === 'messages' ? 'any' : 'no-stream';
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
          const options = { holder: 'test', logger: silentLogger, signal };
          const { model } = await rebuildModel(stores, messagesProjection, options);
          await compare(history, (context) => new Reading(model, context, new MessageCache()));
        } finally {
          await stores.dispose();
        }
      }),
      { numRuns: 40 },
    );
  });
});

async function compare(
  { organization, naive, people: ids, channels }: History,
  open: (context: Reading['context']) => Reading,
): Promise<void> {
  const moment = organization.moment();
  for (const [who, userId] of ids.entries()) {
    const user = organization.user(userId);
    const reading = open({ moment, user, userByEmail: () => null, flags: noFlags, attention: noAttention });
    for (const where of [null, 0, 1, 2]) {
      const terms = where === null ? [] : parseNarrow([{ operator: 'channel', operand: channels[where] }]);
      const all = {
        anchor: { type: 'id', id: largestMessageId },
        includeAnchor: true,
        before: 5000,
        after: 0,
      } as const;
      const { messages } = await readPage(await reading.compile(terms), all, reading);
      const found = messages.map(({ document }) => document._id);
      expect([who, where, found]).toEqual([who, where, naive.found(who, where)]);
      for (const { document } of messages) {
        const reader = {
          moment,
          user,
          flags: noFlags,
          applyMarkdown: true,
          clientGravatar: true,
          allowEmptyTopicName: true,
        };
        expect(flagsOf(document, reader)).toEqual(naive.flags(who, document._id));
      }
      const page = { anchor: { type: 'id', id: 0 }, includeAnchor: true, before: 0, after: 3 } as const;
      const first = await readPage(await reading.compile(terms), page, reading);
      expect(first.messages.map(({ document }) => document._id)).toEqual(found.slice(0, 3));
    }
    for (const { id } of naive.messages) {
      const accessible = [null, 0, 1, 2].some((where) => naive.found(who, where).includes(id));
      expect([who, id, (await reading.get(id)) !== null]).toEqual([who, id, accessible]);
    }
  }
}
