import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { flagsProjection } from '../../projections/flags.projection.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import { personalStream } from '../../src/events/personal.js';
import { attentionFold, noAttention } from '../../src/contexts/attention/attention.state.js';
import { knowsEveryone } from '../../src/access/known-people.js';
import { decideMutePerson, decideUnmutePerson } from '../../src/contexts/attention/attention.decide.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import { handle } from '../../src/kernel/handle.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import type { Recipient } from '../../src/events/messages.js';
import { FlagDecisions } from '../../src/contexts/messages/flags/flag-decisions.js';
import type { FlagChange } from '../../src/contexts/messages/flags/flags.decide.js';
import {
  flagsFold,
  flagsStream,
  type PersonalFlagsDocument,
} from '../../src/contexts/messages/flags/flags.state.js';
import { possibleReaders, readersAmong } from '../../src/contexts/messages/flags/read-receipts.view.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { readPage } from '../../src/contexts/messages/narrow/page.js';
import { MAX_MESSAGE_ID } from '../../src/contexts/messages/narrow/sources.js';
import { parseNarrow } from '../../src/contexts/messages/narrow/terms.js';
import { QuerySession } from '../../src/contexts/messages/query-session.js';
import { flagsOf } from '../../src/contexts/messages/view/flags.js';
import { MessageCache } from '../../src/contexts/messages/view/message-cache.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { decisionsOver } from '../support/decisions-over.js';
import { standIn } from '../support/stand-in.js';

// Each run builds models of its own.
const people = 3;

/** What happens to messages and channels; people by their numbers, from 0. There are two public channels. */
type Step =
  | { readonly kind: 'join' | 'leave'; readonly person: number; readonly channel: number }
  | { readonly kind: 'send'; readonly person: number; readonly channel: number; readonly typed: boolean }
  | { readonly kind: 'direct' | 'mute' | 'unmute'; readonly person: number; readonly other: number };

/** What one person does to the flags of some messages, by their ids. */
interface Mark {
  readonly person: number;
  readonly change: FlagChange;
  readonly ids: readonly number[];
}

/** Messages are sent, then marked. */
interface Phase {
  readonly steps: readonly Step[];
  readonly marks: readonly Mark[];
}

const person = fc.nat(people - 1);
const channel = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('join' as const, 'leave' as const), person, channel }),
  fc.record({ kind: fc.constant('send' as const), person, channel, typed: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom('direct' as const, 'direct' as const, 'mute' as const, 'unmute' as const),
    person,
    other: person,
  }),
);
const change: fc.Arbitrary<FlagChange> = fc.record({
  op: fc.constantFrom('add', 'add', 'remove'),
  flag: fc.constantFrom('read', 'read', 'starred', 'collapsed'),
});
const ids = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const mark: fc.Arbitrary<Mark> = fc.record({ person, change, ids });
const phase: fc.Arbitrary<Phase> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  marks: fc.array(mark, { maxLength: 8 }),
});

/** A reader's row of a message. */
interface Row {
  read: boolean;
  starred: boolean;
  collapsed: boolean;
  readonly historical: boolean;
  /** Left behind with the channel. */
  done: boolean;
}

/** Flags kept as simply as can be: a row for each reader of each message. */
class RowPerReader {
  readonly subscribers = [new Set<number>(), new Set<number>()];
  /** Who mutes each person. */
  readonly muters = Array.from({ length: people }, () => new Set<number>());
  readonly messages: { readonly channel: number | null; readonly rows: Map<number, Row> }[] = [];

  take(one: Step): void {
    switch (one.kind) {
      case 'join':
        this.subscribers[one.channel]!.add(one.person);
        return;
      case 'leave':
        this.subscribers[one.channel]!.delete(one.person);
        this.rowsOf(one.person, one.channel).forEach((row) => Object.assign(row, { read: true, done: true }));
        return;
      case 'send':
        return this.send(one, one.channel, this.subscribers[one.channel]!);
      case 'direct':
        return this.send({ ...one, typed: false }, null, new Set([one.person, one.other]));
      case 'mute':
        this.muters[one.other]!.add(one.person);
        return;
      case 'unmute':
        this.muters[one.other]!.delete(one.person);
    }
  }

  mark({ person: who, change: { op, flag }, ids: marked }: Mark): void {
    for (const id of new Set(marked)) {
      const message = this.messages[id - 1];
      const row = message?.rows.get(who);
      if (message === undefined) continue;
      if (row !== undefined && (flag !== 'read' || !(row.done || row.historical))) row[flag] = op === 'add';
      else if (row === undefined && message.channel !== null && flag === 'starred' && op === 'add')
        message.rows.set(who, { read: true, starred: true, collapsed: false, historical: true, done: false });
    }
  }

  flags(who: number, id: number): string[] {
    const row = this.messages[id - 1]!.rows.get(who);
    if (row === undefined) return ['read', 'historical'];
    const names = (['read', 'starred', 'collapsed'] as const).filter((name) => row[name]);
    return [...names, ...(row.historical ? ['historical'] : [])];
  }

  found(who: number, accepts: (row: Row) => boolean): number[] {
    return this.messages.flatMap(({ rows }, index) => {
      const row = rows.get(who);
      return row !== undefined && accepts(row) ? [index + 1] : [];
    });
  }

  private send(
    { person: sender, typed }: { readonly person: number; readonly typed: boolean },
    where: number | null,
    readers: ReadonlySet<number>,
  ): void {
    const rows = new Map<number, Row>();
    for (const reader of readers) {
      const read = reader === sender ? typed : this.muters[sender]!.has(reader);
      rows.set(reader, { read, starred: false, collapsed: false, historical: false, done: false });
    }
    this.messages.push({ channel: where, rows });
  }

  private rowsOf(who: number, where: number): Row[] {
    return this.messages.flatMap((message) =>
      message.channel === where ? (message.rows.get(who) ?? []) : [],
    );
  }
}

/** The product's own history of the same steps, and what people make of it. */
class History {
  readonly organization = new TestOrganization();
  readonly naive = new RowPerReader();
  readonly people = Array.from({ length: people }, () => this.organization.register());
  private readonly channels = [0, 1].map(() => createChannel(this.organization, []));
  private readonly streams: FoldedStreams;
  private messages: ModelStore | null = null;

  constructor(private readonly stores: TemporaryStores) {
    this.streams = new FoldedStreams(stores.log);
  }

  async live({ steps, marks }: Phase): Promise<void> {
    for (const one of steps) await this.take(one);
    this.messages = await this.build('messages');
    for (const one of marks) await this.mark(one);
  }

  async session(who: number): Promise<QuerySession> {
    const userId = this.people[who]!;
    const { state: flags, revision } = await this.streams.load({
      stream: flagsStream(userId),
      fold: flagsFold,
    });
    const context = {
      snapshot: this.organization.snapshot(),
      user: this.organization.user(userId),
      placements: new Placements(),
      userByEmail: () => null,
      flags,
      attention: noAttention,
      knows: knowsEveryone,
    };
    return new QuerySession(this.messages!, context, new MessageCache(), revision);
  }

  async document(id: number): Promise<MessageDocument> {
    const document = await this.messages!.collection<MessageDocument>('messages').findOne({ _id: id });
    if (document === null) throw new Error(`There is no message ${id}`);
    return document;
  }

  async build(name: 'messages' | 'flags'): Promise<ModelStore> {
    const projection = name === 'messages' ? messagesProjection : flagsProjection;
    const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
    return (await rebuildModel(this.stores, projection, options)).model;
  }

  private async mark(one: Mark): Promise<void> {
    const session = await this.session(one.person);
    const messages = await session.search.placesOf(one.ids);
    const caller = { userId: this.people[one.person]!, client: 'test' };
    const changes = new FlagDecisions(standIn<MessageReader>(null), decisionsOver(this.streams));
    await changes.apply(caller as never, session, { change: one.change, messages });
    this.naive.mark(one);
  }

  private async take(one: Step): Promise<void> {
    if (one.kind === 'mute' || one.kind === 'unmute') {
      if (one.person === one.other) return;
      await this.mute(one);
    } else if (one.kind === 'send')
      await this.send(one.person, one.typed, {
        type: 'channel',
        channelId: this.channels[one.channel]!,
        topic: 'a',
      });
    else if (one.kind === 'direct') {
      const userIds = [...new Set([one.person, one.other])].map((who) => this.people[who]!);
      await this.send(one.person, false, { type: 'direct', userIds: userIds.sort((a, b) => a - b) });
    } else if (one.kind === 'join' || one.kind === 'leave') this.subscribe(one);
    this.naive.take(one);
  }

  private subscribe({ kind, person: who, channel: where }: Extract<Step, { kind: 'join' | 'leave' }>): void {
    const [channelId, userIds] = [this.channels[where]!, [this.people[who]!]];
    const last = this.naive.messages.length;
    const joining = {
      channelId,
      userIds,
      afterMessageId: last,
      color: null,
      notify: false,
      continuation: [],
    };
    const leaving = { channelId, userIds, throughMessageId: last, continuation: [] };
    this.organization.log.append(`channel-${channelId}`, [
      kind === 'join'
        ? { type: 'UsersSubscribed', data: joining }
        : { type: 'UsersUnsubscribed', data: leaving },
    ]);
  }

  private async mute({ kind, person: who, other }: Extract<Step, { other: number }>): Promise<void> {
    if (this.naive.muters[other]!.has(who) === (kind === 'mute')) return;
    const [userId, mutedUserId] = [this.people[who]!, this.people[other]!];
    const decide = kind === 'mute' ? decideMutePerson : decideUnmutePerson;
    await handle(this.streams, {
      stream: personalStream(userId),
      fold: attentionFold,
      decide: (attention) => decide(attention, mutedUserId, { userId }),
      metadata: { actorId: null, commandId: randomCommandId(), causationId: null, client: 't', at: 0 },
    });
  }

  private async send(who: number, readBySender: boolean, recipient: Recipient): Promise<void> {
    const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
    const text = { content: 'x', references: {}, mentions, readBySender };
    const data = { senderId: this.people[who]!, recipient, ...text };
    const event: DomainEvent = { type: 'MessageSent', data };
    const metadata = { actorId: null, commandId: randomCommandId(), causationId: null, client: 't', at: 0 };
    await this.stores.log.append({ stream: 'messages', expected: 'any' }, [event], metadata);
  }
}

describe('what anyone has read, starred and collapsed', () => {
  it('is what a row for each reader of each message would say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(phase, { minLength: 1, maxLength: 3 }), async (phases) => {
        const stores = await openTemporaryStores();
        try {
          const history = new History(stores);
          for (const one of phases) {
            await history.live(one);
            for (let who = 0; who < people; who += 1) await compare(history, who);
            await compareReceipts(history);
          }
          await compareModel(history);
        } finally {
          await stores.dispose();
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

async function compare(history: History, who: number): Promise<void> {
  const { naive } = history;
  const session = await history.session(who);
  const unread = naive.found(who, (row) => !row.read);
  expect([who, await idsFound(session, [['is', 'unread']])]).toEqual([who, unread]);
  const starred = naive.found(who, (row) => row.starred);
  expect([who, await idsFound(session, [['is', 'starred']])]).toEqual([who, starred]);
  const all = naive.found(who, () => true);
  expect([who, await idsFound(session, [])]).toEqual([who, all]);
  const read = [{ operator: 'is', operand: 'unread', negated: true }];
  expect([who, await idsFound(session, read)]).toEqual([who, all.filter((id) => !unread.includes(id))]);
  expect(await session.place({ type: 'first-unread' }, [])).toEqual({
    type: 'id',
    id: unread[0] ?? MAX_MESSAGE_ID,
  });
  for (const [index] of naive.messages.entries()) {
    const message = await session.get(index + 1);
    if (message === null) continue;
    expect([who, index + 1, flagsOf(message.document, session.context)]).toEqual([
      who,
      index + 1,
      naive.flags(who, index + 1),
    ]);
  }
  expect(session.context.flags.read.length).toBeLessThanOrEqual(unread.length + 1);
}

/** Whoever has a row, of their own making too, and though they have left since. */
async function compareReceipts(history: History): Promise<void> {
  const { naive, people: userIds } = history;
  const sessions = await Promise.all(userIds.map((_id, who) => history.session(who)));
  const flags = new Map(userIds.map((userId, who) => [userId, sessions[who]!.context.flags]));
  const { snapshot } = sessions[0]!.context;
  for (const [index, message] of naive.messages.entries()) {
    const document = await history.document(index + 1);
    const readers = userIds.filter((userId, who) => {
      const row = message.rows.get(who);
      return row?.read === true && userId !== document.senderId;
    });
    const placements = new Placements();
    const people = possibleReaders({ snapshot, placements }, document);
    expect([index + 1, readersAmong(people, document, { snapshot, placements, flags })]).toEqual([
      index + 1,
      readers,
    ]);
  }
}

async function idsFound(session: QuerySession, narrow: unknown): Promise<number[]> {
  const all = {
    anchor: { type: 'id', id: MAX_MESSAGE_ID },
    includeAnchor: true,
    before: 3,
    after: 0,
  } as const;
  const terms = await session.compile(parseNarrow(narrow));
  const found: number[] = [];
  for (let id = MAX_MESSAGE_ID; ;) {
    const { messages } = await readPage(terms, { ...all, anchor: { type: 'id', id } }, session.search.states);
    if (messages.length === 0) return found;
    found.unshift(...messages.map(({ _id }) => _id).filter((one) => one !== id));
    if (messages.length === 1 && messages[0]!._id === id) return found;
    id = messages[0]!._id;
  }
}

async function compareModel(history: History): Promise<void> {
  const model = await history.build('flags');
  for (const [who, userId] of history.people.entries()) {
    const document = await model.collection<PersonalFlagsDocument>('flags').findOne({ _id: userId });
    const { flags } = (await history.session(who)).context;
    if (document === null) expect(flags).toBe(flagsFold.initial);
    else expect(document).toMatchObject(flags);
  }
}
