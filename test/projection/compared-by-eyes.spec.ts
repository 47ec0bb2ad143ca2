import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { Conversation } from '../../src/audit/past/conversation/conversation.js';
import { PastConversationView } from '../../src/audit/past/conversation/past-conversation-view.js';
import {
  CompareConversationHandler,
  type CompareConversation,
  type Comparison,
} from '../../src/audit/past/conversation/queries/compare-conversation.js';
import {
  GetPastConversationHandler,
  type GetPastConversation,
} from '../../src/audit/past/conversation/queries/get-past-conversation.js';
import { conversationKey } from '../../src/contexts/messages/conversation-documents.js';
import type { MessageEvent, Recipient } from '../../src/events/messages.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { createChannel } from '../support/channels.js';
import { metadataOf } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { pastSourcesOver } from '../support/past-sources.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let revisions: Map<string, number>;
let ada: number;
let bo: number;
let bot: number;

beforeEach(async () => {
  stores = await openTemporaryStores();
  revisions = new Map();
  await begin();
});
afterEach(() => stores.dispose());

/** Appends to a stream. @returns the position of the last event */
async function append(stream: string, events: readonly DomainEvent[]): Promise<number> {
  const revision = revisions.get(stream) ?? -1;
  revisions.set(stream, revision + events.length);
  const expected = revision < 0 ? ('no-stream' as const) : revision;
  return (await stores.log.append({ stream, expected }, events, metadataOf(ada))).position;
}

/** Ada is in a private channel, where those who join see nothing of before; Bo and a bot are not. */
async function begin(): Promise<void> {
  const organization = new TestOrganization();
  [ada, bo] = [organization.register(), organization.register()];
  bot = organization.register({ bot: { type: 1, ownerId: ada, isSystem: false } });
  const privacy = { inviteOnly: true, historyPublicToSubscribers: false, isWebPublic: false };
  createChannel(organization, [ada], { privacy });
  for (const { stream, type, data } of organization.log.events) await append(stream, [{ type, data }]);
}

const channel: Conversation = { type: 'channel', channelId: 1, topicKey: null };

function sent(content: string, { to, givenToIds = [] }: Sending = {}): MessageEvent {
  const recipient: Recipient = to ?? { type: 'channel', channelId: 1, topic: 'a' };
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const text = { content, references: {}, mentions, readBySender: false };
  return { type: 'MessageSent', data: { senderId: ada, recipient, ...text, givenToIds } };
}

interface Sending {
  readonly to?: Recipient;
  readonly givenToIds?: number[];
}

async function sendMany(count: number): Promise<number> {
  let position = 0;
  for (let left = count; left > 0; left -= 500)
    position = await append(
      'messages',
      Array.from({ length: Math.min(500, left) }, () => sent('x')),
    );
  return position;
}

const lastId = (): number => (revisions.get('messages') ?? -1) + 1;

function joins(userId: number): Promise<number> {
  const data = { userIds: [userId], afterMessageId: lastId(), color: null, notify: false };
  return append('channel-1', [
    { type: 'UsersSubscribed', data: { channelId: 1, ...data, continuation: [] } },
  ]);
}

function leaves(userId: number): Promise<number> {
  const data = { userIds: [userId], throughMessageId: lastId(), continuation: [] };
  return append('channel-1', [{ type: 'UsersUnsubscribed', data: { channelId: 1, ...data } }]);
}

function reacts(messageId: number): Promise<number> {
  const emoji = { type: 'unicode_emoji', name: 'octopus', code: '1f419' } as const;
  return append(`message-${messageId}`, [{ type: 'ReactionAdded', data: { messageId, userId: ada, emoji } }]);
}

async function modelOfMessages(): Promise<ModelStore> {
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  return (await rebuildModel(stores, messagesProjection, options)).model;
}

interface Looking {
  readonly model: ModelStore;
  readonly conversation: Conversation;
  readonly viewerId: number | null;
  /** Positions of the two moments. */
  readonly moments: readonly [from: number, to: number];
}

async function* pagesOf(
  { model, conversation, viewerId, moments: [from, to] }: Looking,
  limit: number,
): AsyncGenerator<Comparison> {
  const handler = new CompareConversationHandler(pastSourcesOver(stores.log, model));
  for (let after: number | null = 0; after !== null;) {
    const moments = { from: { position: from }, to: { position: to } };
    const comparing = { conversation, viewerId, ...moments, after, limit };
    const page: Comparison = await handler.execute({ comparing } as CompareConversation);
    yield page;
    after = page.after;
  }
}

type Place = Omit<Looking, 'moments'>;
type States = ReadonlyMap<number, string>;

/** What was seen at a moment, by ids. */
async function statesAt({ model, conversation, viewerId }: Place, position: number): Promise<States> {
  const handler = new GetPastConversationHandler(pastSourcesOver(stores.log, model));
  const page = { conversation, at: { position }, viewerId, anchor: 1_000_000, before: 1000, after: 0 };
  const { messages } = await handler.execute({ page } as GetPastConversation);
  return new Map(
    messages.map(({ id, content, topic, reactions, sight }) => [
      id,
      JSON.stringify([content, topic, reactions, sight]),
    ]),
  );
}

interface Compared {
  readonly differences: readonly (readonly [id: number, kind: string])[];
  readonly unchanged: number;
}

/** What having read both moments whole says of them. */
function comparedWhole(before: States, after: States): Compared {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort((one, other) => one - other);
  const differing = ids.filter((id) => before.get(id) !== after.get(id));
  const kindOf = (id: number): string => (before.has(id) ? (after.has(id) ? 'changed' : 'went') : 'came');
  return {
    differences: differing.map((id) => [id, kindOf(id)] as const),
    unchanged: ids.length - differing.length,
  };
}

async function compared(looking: Looking): Promise<Compared> {
  const differences: (readonly [number, string])[] = [];
  let unchanged = 0;
  for await (const page of pagesOf(looking, 3)) {
    for (const { kind, before, after } of page.differences)
      differences.push([(before ?? after)!.id, kind] as const);
    unchanged += page.unchanged;
  }
  return { differences, unchanged };
}

it('For every viewer, a comparison gives the same result as reading both moments', async () => {
  const direct: Conversation = { type: 'direct', key: conversationKey([ada, bo]), userIds: [ada, bo] };
  const between: Recipient = { type: 'direct', userIds: [ada, bo] };
  const moments: number[] = [];
  const happens = async (...steps: readonly (() => Promise<number>)[]): Promise<void> => {
    for (const step of steps) moments.push(await step());
  };
  const sends =
    (given: Sending = {}) =>
    () =>
      append('messages', [sent('x', given), sent('y', given)]);
  await happens(sends(), sends({ givenToIds: [bot] }), sends({ to: between }));
  await happens(
    () => joins(bo),
    sends(),
    () => reacts(lastId()),
    () => leaves(ada),
  );
  await happens(
    sends(),
    sends({ givenToIds: [bot] }),
    () => leaves(bo),
    () => joins(ada),
  );
  await happens(sends(), () => append('users', [{ type: 'UserDeactivated', data: { userId: bot } }]));
  await happens(
    () => joins(bo),
    sends(),
    () => reacts(1),
  );
  const model = await modelOfMessages();
  let differences = 0;
  for (const viewerId of [null, ada, bo, bot])
    for (const conversation of [channel, { ...channel, topicKey: 'a' }, direct]) {
      const place = { model, conversation, viewerId };
      const states: States[] = [];
      for (const position of moments) states.push(await statesAt(place, position));
      for (const [one, from] of moments.entries())
        for (const [other, to] of moments.entries()) {
          if (other < one) continue;
          const found = await compared({ ...place, moments: [from, to] });
          const expected = comparedWhole(states[one]!, states[other]!);
          expect({ viewerId, conversation, from, to, found }).toEqual({
            viewerId,
            conversation,
            from,
            to,
            found: expected,
          });
          differences += found.differences.length;
        }
    }
  expect(differences).toBeGreaterThan(1000);
});

it('Unchanged messages that were visible at both moments or at neither are counted without being examined', async () => {
  const many = budgets.pastCandidates.max + 500;
  await sendMany(many);
  await leaves(ada);
  await sendMany(many);
  const from = await joins(ada);
  const changed = lastId();
  await append('messages', [sent('new')]);
  await reacts(many);
  const to = await reacts(changed);
  const model = await modelOfMessages();
  const looked = jest.spyOn(PastConversationView.prototype, 'find');
  const looking = { model, conversation: channel, viewerId: ada, moments: [from, to] } as const;
  const pages: Comparison[] = [];
  for await (const page of pagesOf(looking, 100)) pages.push(page);
  expect(pages).toMatchObject([
    {
      differences: [
        { kind: 'changed', after: { id: many } },
        { kind: 'came', after: { id: changed + 1 } },
      ],
      unchanged: many - 1,
      after: null,
    },
  ]);
  // What changed is looked at, also where it was seen at neither moment.
  expect(new Set(looked.mock.calls.map(([{ _id }]) => _id))).toEqual(new Set([many, changed, changed + 1]));
  looked.mockRestore();
});
