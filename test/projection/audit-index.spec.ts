import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import { auditIndexProjection } from '../../projections/audit-index.projection.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import {
  DiscardedEvents,
  type MovedMessage,
  type OpenAuditIndex,
} from '../../src/audit/log-index/audit-index.js';
import { readIndexedPage, type IndexedPage } from '../../src/audit/log-index/indexed-page.js';
import type { Direction } from '../../src/audit/log-index/common-entries.js';
import { isSelected, type LogSelection } from '../../src/audit/log/log-selection.js';
import { readRoleHistory } from '../../src/audit/log/role-history.js';
import { auditIndexModel, type AuditEntryDocument } from '../../src/contexts/audit-index/read-model.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { EventLog } from '../../src/stores/event-store/event-log.js';
import { standIn } from '../support/stand-in.js';
import { roles } from '../../src/access/records/roles.js';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.js';
import { QueryDeadline } from '../../src/reader-threads/query-deadline.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { EventStore, ExpectedRevision } from '../../src/stores/event-store/port.js';
import { ServingModels } from '../../src/stores/read-store/serving-models.js';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import type {
  Collection,
  Filter,
  FindOptions,
  ModelStore,
  ReadStore,
} from '../../src/stores/read-store/port.js';
import { describeReadStores, type ReadStorePlace } from '../contract/support/read-store-places.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const [owner, ada, bo, guest] = [3, 4, 5, 6];
const deadline = new QueryDeadline();
const began = Date.UTC(2026, 0, 1);
let stores: TemporaryStores;
let time = began;

beforeAll(async () => {
  stores = await openTemporaryStores();
  await fill(6);
});
afterAll(() => stores.dispose());

async function happens(
  actorId: number | null,
  [stream, expected]: readonly [string, ExpectedRevision],
  event: DomainEvent,
): Promise<void> {
  time += 600_000;
  const metadata = { actorId, commandId: randomCommandId(), causationId: null, client: 'test', at: time };
  await stores.log.append({ stream, expected }, [event], metadata);
}

const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };

function sent(senderId: number, recipient: object): DomainEvent {
  const data = { senderId, recipient, content: 'x', references: {}, mentions, readBySender: false };
  return { type: 'MessageSent', data };
}

function movedFrom(channelId: number, messageId: number): DomainEvent {
  const selection = { channelId, topic: 'Engines', bounds: { after: 0, through: null }, visible: null };
  const notify = { oldThread: false, newThread: false };
  const data = { messageId, mode: 'change_all', selection, newTopic: 'Looms', newChannel: null, notify };
  return { type: 'MessagesMoved', data };
}

/** People with roles that change, messages of theirs, and what others do to these. */
async function fill(rounds: number): Promise<void> {
  let users = -1;
  const onUsers = (): readonly [string, ExpectedRevision] => ['users', users++ < 0 ? 'no-stream' : users - 1];
  for (const [userId, role] of [
    [owner, 100],
    [ada, 400],
    [bo, 400],
    [guest, 600],
  ] as const) {
    const account = { userId, role, emailDigest: `d${userId}`, email: 'e', fullName: 'n', bot: null };
    const data = { ...account, awaitsFirstLogin: false };
    await happens(null, onUsers(), { type: 'UserRegistered', data });
  }
  let messageId = 0;
  for (let round = 0; round < rounds; round += 1) {
    const previousRole = round % 2 === 0 ? 400 : 200;
    const role = round % 2 === 0 ? 200 : 400;
    await happens(owner, onUsers(), { type: 'UserRoleChanged', data: { userId: ada, role, previousRole } });
    for (const [sender, recipient] of [
      [bo, { type: 'channel', channelId: 1, topic: 'Engines' }],
      [ada, { type: 'channel', channelId: 2, topic: 'engines' }],
      [ada, { type: 'direct', userIds: [ada, bo] }],
    ] as const) {
      await happens(sender, ['messages', 'any'], sent(sender, recipient));
      messageId += 1;
      const emoji = { type: 'unicode_emoji', name: 'octopus', code: '1f419' };
      for (const [revision, userId] of [ada, bo].entries()) {
        const data = { messageId, userId, emoji };
        const expected = revision === 0 ? ('no-stream' as const) : 0;
        await happens(userId, [`message-${messageId}`, expected], { type: 'ReactionAdded', data });
      }
    }
    await happens(owner, ['channel-1', 'any'], movedFrom(1, messageId));
    const ranges = [{ from: Math.max(1, messageId - 40), through: messageId }];
    const expected = round === 0 ? ('no-stream' as const) : round - 1;
    await happens(bo, [`flags-${bo}`, expected], {
      type: 'MessagesMarkedRead',
      data: { userId: bo, ranges, everything: true },
    });
  }
}

async function whole(): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of stores.log.store.readAll({ after: null }))
    events.push(...(await stores.log.decode(page.events)));
  return events;
}

/** Who sent each message, by its id: messages are numbered from 1 as they were sent. */
function sendersIn(events: readonly RecordedEvent[]): ReadonlyMap<number, unknown> {
  const sendings = events.filter(({ type }) => type === 'MessageSent');
  return new Map(sendings.map(({ data }, index) => [index + 1, (data as { senderId: unknown }).senderId]));
}

/** Whether somebody acted on a message of their own or of others, told without the code of the index; null: on none, or nobody did. */
function ownerIn(senders: ReadonlyMap<number, unknown>, event: RecordedEvent): 'own' | 'others' | null {
  const { type, stream, data, metadata } = event;
  if (metadata.actorId === null) return null;
  const ownStream = stream.startsWith('message-') ? Number(stream.slice('message-'.length)) : null;
  const named = data as { readonly messageId?: number; readonly senderId?: number };
  const sender = type === 'MessageSent' ? named.senderId : senders.get(ownStream ?? named.messageId ?? 0);
  if (sender === undefined) return null;
  return sender === metadata.actorId ? 'own' : 'others';
}

/** What is asked for, one filter each. */
const filters: Readonly<Record<string, LogSelection>> = {
  type: { types: ['MessageSent', 'UserRoleChanged'] },
  actor: { actorIds: new Set([ada]) },
  server: { actorIds: new Set([null]) },
  about: { aboutId: bo },
  channel: { channelId: 1 },
  topic: { topic: { channelId: 2, topic: 'ENGINES' } },
  message: { messageId: 5 },
  role: { roles: [roles.administrator] },
  own: { content: 'own' },
  others: { content: 'others' },
  stream: { streams: ['messages'] },
  streams: { streams: ['message-*'] },
  time: { since: began + 12_000_000, until: began + 30_000_000 },
};

const combinations: readonly (readonly [string, LogSelection])[] = Object.entries(filters).flatMap(
  ([name, filter], index) => [
    [name, filter] as const,
    ...Object.entries(filters)
      .slice(index + 1)
      .filter(([other]) => !['actor server', 'own others', 'stream streams'].includes(`${name} ${other}`))
      .map(([other, more]) => [`${name} and ${other}`, { ...filter, ...more }] as const),
  ],
);

interface Paging {
  readonly direction: Direction;
  readonly limit: number;
  readonly moved?: MovedMessage;
}

async function pages(
  index: OpenAuditIndex,
  selection: LogSelection,
  { direction, limit, moved }: Paging,
): Promise<{ readonly positions: readonly number[]; readonly rows: readonly number[] }> {
  const positions: number[] = [];
  const rows: number[] = [];
  for (let asked = selection; ;) {
    const indexed = { log: stores.log, index, deadline, ...(moved && { moved }) };
    const page: IndexedPage = await readIndexedPage(indexed, asked, { direction, limit });
    positions.push(...page.events.map(({ position }) => position));
    rows.push(page.rows);
    expect(page.events.length).toBeLessThanOrEqual(limit);
    if (page.isEnd) return { positions, rows };
    asked =
      direction === 'forwards'
        ? { ...selection, from: page.position! + 1 }
        : { ...selection, through: page.position! - 1 };
  }
}

describeReadStores((openPlace) => {
  let place: ReadStorePlace;
  let readStore: ReadStore;
  let index: OpenAuditIndex;

  beforeAll(async () => {
    place = openPlace();
    readStore = await place.open();
    const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
    const { model } = await rebuildModel({ log: stores.log, readStore }, auditIndexProjection, options);
    index = { model, discarded: [] };
    // The index has yet to learn of these.
    const data = { userId: guest, role: roles.moderator, previousRole: roles.guest };
    const revision = (await whole()).filter(({ stream }) => stream === 'users').length - 1;
    await happens(owner, ['users', revision], { type: 'UserRoleChanged', data });
    await happens(ada, ['messages', 'any'], sent(ada, { type: 'channel', channelId: 1, topic: 'engines' }));
    for (let move = 0; move < 2; move += 1) await happens(owner, ['channel-1', 'any'], movedFrom(1, 1));
  });
  afterAll(async () => {
    await readStore.close();
    await place.destroy();
  });

  async function expectedOf(selection: LogSelection): Promise<readonly number[]> {
    const [history, events] = [await readRoleHistory(stores.log), await whole()];
    const senders = sendersIn(events);
    const { roles: wanted, content } = selection;
    const expected = events.filter((event) => {
      const role = history.roleAt(event.metadata.actorId, event.position);
      return (
        isSelected(event, selection) &&
        (wanted === undefined || wanted.some((one) => one === role)) &&
        (content === undefined || ownerIn(senders, event) === content)
      );
    });
    return expected.map(({ position }) => position);
  }

  it.each(combinations)('finds by %s what the log has, both ways', async (_name, selection) => {
    const positions = await expectedOf(selection);
    const forwards = await pages(index, selection, { direction: 'forwards', limit: 7 });
    expect(forwards.positions).toEqual(positions);
    const backwards = await pages(index, selection, { direction: 'backwards', limit: 7 });
    expect(backwards.positions).toEqual(positions.toReversed());
  });

  it.each(combinations.filter(([, { messageId }]) => messageId !== undefined))(
    'finds by %s also the moves that took the message along without naming it, both ways',
    async (_name, selection) => {
      const all = await whole();
      const moves = all.filter(({ type }) => type === 'MessagesMoved').map(({ position }) => position);
      const taking = moves.filter((_position, number) => number % 3 !== 0);
      const moved: MovedMessage = {
        movesWithin: ([lowest, highest], { direction, limit }) => {
          const within = taking.filter((position) => position >= lowest && position <= highest);
          const ordered = direction === 'forwards' ? within : within.toReversed();
          // Fewer than were asked for, as where there are thousands.
          const positions = ordered.slice(0, Math.min(limit, 2));
          return Promise.resolve({ positions, isAll: positions.length === ordered.length });
        },
      };
      const positions = await expectedOf({ ...selection, movedAt: new Set(taking) });
      const forwards = await pages(index, selection, { direction: 'forwards', limit: 7, moved });
      expect(forwards.positions).toEqual(positions);
      const backwards = await pages(index, selection, { direction: 'backwards', limit: 7, moved });
      expect(backwards.positions).toEqual(positions.toReversed());
    },
  );

  it('tells what operators had it pass over where that stands, both ways', async () => {
    const other = openPlace();
    const lackingStore = await other.open();
    const all = await whole();
    const passedOver = all.filter((_event, number) => number % 6 === 1);
    const settings = new OperatorSettings(lackingStore);
    for (const { id, type, stream, position } of passedOver.toReversed()) {
      const event = { id, type, stream, position, reason: 'It is damaged', discardedAt: 0 };
      await settings.discard(auditIndexModel.name, event, 'test');
    }
    const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
    const lacking = { log: stores.log, readStore: lackingStore };
    const { model } = await rebuildModel(lacking, auditIndexProjection, options);
    expect(await model.collection('audit_entries').countDocuments({})).toBe(all.length - passedOver.length);
    const models = new ServingModels(lackingStore, { now: () => 0 });
    const discarded = await new DiscardedEvents(models).of(auditIndexModel.name);
    const isAsked = ([, { roles: wanted, content }]: (typeof combinations)[number]): boolean =>
      wanted === undefined && content === undefined;
    for (const [name, selection] of combinations.filter(isAsked)) {
      const expected = all.filter((event) => isSelected(event, selection)).map(({ position }) => position);
      for (const direction of ['forwards', 'backwards'] as const) {
        const { positions } = await pages({ model, discarded }, selection, { direction, limit: 7 });
        const inOrder = direction === 'forwards' ? positions : positions.toReversed();
        expect({ name, direction, positions: inOrder }).toEqual({ name, direction, positions: expected });
      }
    }
    await lackingStore.close();
    await other.destroy();
  });

  it('looks at few rows for a page, however many another filter has', async () => {
    const selection = { ...filters['message'], ...filters['type'] };
    const { rows } = await pages(index, selection, { direction: 'backwards', limit: 10 });
    const found = 1;
    expect(Math.max(...rows)).toBeLessThanOrEqual(16 * 2 * (found + 2));
  });
});

describe('the statements that answer', () => {
  let model: ModelStore;

  beforeAll(async () => {
    const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
    ({ model } = await rebuildModel(stores, auditIndexProjection, options));
  });

  async function statementsOf(selection: LogSelection, direction: Direction): Promise<readonly string[]> {
    const spies = (['row', 'rows'] as const).map((name) => jest.spyOn(Connection.prototype, name));
    const index = { model, discarded: [] };
    await readIndexedPage({ log: stores.log, index, deadline }, selection, { direction, limit: 10 });
    const statements = spies.flatMap((spy) => spy.mock.calls.map(([sql]) => sql));
    jest.restoreAllMocks();
    return statements.filter((sql) => sql.includes('"audit_entries'));
  }

  it.each(combinations)('%s scan nothing and sort nothing', async (_name, selection) => {
    const database = new Database(join(stores.directory, 'models', `audit-index__v${model.version}.sqlite`));
    for (const direction of ['forwards', 'backwards'] as const) {
      const statements = await statementsOf(selection, direction);
      expect(statements).not.toEqual([]);
      for (const sql of statements) {
        const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[];
        const steps = plan.map(({ detail }) => detail);
        expect(steps.filter((step) => /^SCAN (stored|entry|audit_entries)/.test(step))).toEqual([]);
        expect(steps.filter((step) => step.includes('TEMP B-TREE FOR ORDER BY'))).toEqual([]);
      }
    }
    database.close();
  });
});

it('ends a page where two filters hardly ever meet, after few questions, and says where the next one goes on', async () => {
  const last = 1_000_000;
  let questions = 0;
  /** One filter finds the even positions, the other one the odd ones but for the very last. */
  const find = (filter: Filter, options?: FindOptions): Promise<AuditEntryDocument[]> => {
    const { $lte: bound = last } = filter['_id'] as { readonly $lte?: number };
    const facet = String(filter['facets']);
    questions += 1;
    const isEven = facet === 'UserRenamed';
    const first = bound % 2 === (isEven ? 0 : 1) ? bound : bound - 1;
    return Promise.resolve(
      Array.from({ length: options?.limit ?? 1 }, (_, index) => first - 2 * index)
        .filter((position) => position > 0)
        .map((_id) => ({ _id, stream: 'users', revision: 0, at: 0, facets: [facet] })),
    );
  };
  const model = standIn<ModelStore>({
    checkpoint: () => Promise.resolve({ position: last }),
    collection: () => standIn<Collection>({ find: find as Collection['find'] }),
  });
  const log = standIn<EventLog>({
    store: standIn<EventStore>({
      readAll: async function* () {
        yield await Promise.resolve({ events: [], position: last, live: true });
      },
    }),
    decode: () => Promise.resolve([]),
  });
  const selection: LogSelection = { types: ['UserRenamed'], actorIds: new Set([ada]) };
  const index = { model, discarded: [] };
  const page = await readIndexedPage({ log, index, deadline }, selection, {
    direction: 'backwards',
    limit: 10,
  });
  expect(page).toMatchObject({ events: [], isEnd: false });
  expect(page.rows).toBeGreaterThanOrEqual(budgets.auditRows.max);
  expect(page.rows).toBeLessThan(budgets.auditRows.max + 2 * 512);
  expect(questions).toBeLessThan(60);
  const next = await readIndexedPage(
    { log, index, deadline },
    { ...selection, through: page.position! - 1 },
    { direction: 'backwards', limit: 10 },
  );
  expect(next.position).toBeLessThan(page.position!);
});
