import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PastQuery } from '../../src/audit/past/past-api.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import type { WholePast } from '../support/past-conversations.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

const STEPS = 130;
const MOMENTS = 4;

let stores: ServerStores;
let server: TestServer;
let owner: ApiClient;
let people: readonly { readonly id: number; readonly client: ApiClient }[];
let channelIds: readonly number[];

/** Numbers that look random and are the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const seed = Number(process.env['PAST_SEED'] ?? 20_261_124);
const random = numbers(seed);
/** Of its own, so that what is written does not change what happens. */
const naming = numbers(seed + 1);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;

const topics = ['a', 'A', 'b', '✔ b'];
const namings = ['', '', 'engine', '@**Ada**', '@**Bo**', '@**all**', '@**topic**'];
const privacies = [
  {},
  { invite_only: true, history_public_to_subscribers: true },
  { invite_only: true, history_public_to_subscribers: false },
];

beforeAll(async () => {
  stores = await ServerStores.open();
  server = await TestServer.start({ stores, environment: { SEAL_EVERY_EVENTS: '40' } });
  owner = await server.owner();
  const made = [];
  for (const name of ['Ada', 'Bo', 'Cy', 'Gus']) made.push(await server.createUser(owner, name));
  await owner.must('patch', `users/${made[3]!.id}`, { role: 600 });
  const ownId = (await owner.must('get', 'users/me'))['user_id'] as number;
  people = [...made, { id: ownId, client: owner }];
  const ids: number[] = [];
  for (const [index, privacy] of privacies.entries()) {
    const principals = people.filter(() => random(3) > 0).map(({ id }) => id);
    ids.push(
      await owner.createChannel(`channel ${index}`, { ...privacy, principals: [...principals, ownId] }),
    );
  }
  channelIds = ids;
  await happen();
  // Nobody else receives what is sent here, and all but guests may read it.
  await owner.createChannel('archive', { principals: [ownId] });
  await owner.sendToChannel('archive', 'a', 'for later');
});

afterAll(async () => {
  await server.stop();
  await stores.close();
});

/** A random history, by people who may not always: what is refused changes nothing. */
async function happen(): Promise<void> {
  const messageIds: number[] = [];
  const senders = new Map<number, ApiClient>();
  const sent = ({ body }: { readonly body: Reply }, sender: ApiClient): void => {
    if (body.result !== 'success') return;
    messageIds.push(body['id'] as number);
    senders.set(body['id'] as number, sender);
  };
  for (let step = 0; step < STEPS; step += 1) {
    const { id, client } = pick(people);
    const channel = random(channelIds.length);
    const name = `channel ${channel}`;
    const kind = random(25);
    const content = `text ${step} **bold** <b>& ${namings[naming(namings.length)]!}`;
    if (kind < 7 || messageIds.length === 0) {
      const to = pick([client, owner]);
      sent(await to.post('messages', { type: 'channel', to: name, topic: pick(topics), content }), to);
    } else if (kind === 7) {
      const others = [pick(people).id, pick(people).id];
      sent(await client.post('messages', { type: 'direct', to: others, content }), client);
    } else if (kind < 10) {
      const id = pick(messageIds);
      await senders.get(id)!.patch(`messages/${id}`, { content });
    } else if (kind < 13) {
      const mode = pick(['change_one', 'change_later', 'change_all']);
      const elsewhere = random(2) === 0 ? {} : { stream_id: pick(channelIds) };
      const move = { topic: pick(topics), propagate_mode: mode, ...elsewhere };
      await pick([client, owner]).patch(`messages/${pick(messageIds)}`, move);
    } else if (kind === 13) await pick([client, owner]).delete(`messages/${pick(messageIds)}`);
    else if (kind === 14)
      await client.post(`messages/${pick(messageIds)}/reactions`, { emoji_name: 'octopus' });
    else if (kind === 15) {
      await client.delete(`messages/${pick(messageIds)}/reactions`, { emoji_name: 'octopus' });
    } else if (kind === 16) {
      const privacy = pick(privacies);
      await owner.patch(`streams/${channelIds[channel]!}`, {
        is_private: 'invite_only' in privacy,
        ...privacy,
      });
    } else if (kind === 17) {
      await client.post('users/me/subscriptions', { subscriptions: [{ name }] });
      await owner.post('users/me/subscriptions', { subscriptions: [{ name }], principals: [id] });
    } else if (kind === 18) {
      const leaving = { subscriptions: [name], principals: [id] };
      await owner.delete('users/me/subscriptions', leaving);
    } else if (kind === 19) {
      await owner.patch(`users/${people[2]!.id}`, { role: pick([400, 600, 200]) });
    } else await mark(pick(people), messageIds);
  }
}

/** Somebody reads messages, has yet to read them again, stars them, or mutes and unmutes somebody. */
async function mark({ id, client }: (typeof people)[number], messageIds: readonly number[]): Promise<void> {
  const [op, flag] = [pick(['add', 'add', 'remove']), pick(['read', 'read', 'starred'])];
  await client.post('messages/flags', { op, flag, messages: [pick(messageIds), pick(messageIds)] });
  const words = { alert_words: ['engine'] };
  await (naming(3) > 0 ? client.post : client.delete).call(client, 'users/me/alert_words', words);
  const other = pick(people).id;
  if (other === id || random(3) > 0) return;
  await (random(2) === 0 ? client.post : client.delete).call(client, `users/me/muted_users/${other}`);
}

interface Place {
  readonly channelId: number;
  readonly topic: string;
}

interface LifeStep {
  readonly position: number;
  readonly change: { readonly kind: string; readonly location?: Place; readonly to?: Place };
}

interface View {
  readonly position: number;
  readonly message: Readonly<Record<string, unknown>> | null;
}

/** The fields of a message of the API that a view has. */
function shownOf({ content, subject, stream_id, flags }: Reply): Readonly<Record<string, unknown>> {
  return { content, subject, flags, ...(stream_id !== undefined && { stream_id }) };
}

type Seen = readonly (readonly [id: number, content: string, topic: string])[];

interface Asked {
  readonly whole: PastQuery;
  readonly folded: Readonly<Record<string, unknown>>;
}

/** The same conversations, as the API of then is asked for them and as auditors are. */
function askedOf(userId: number): readonly Asked[] {
  const everything = [
    ['anchor', 'newest'],
    ['num_before', '1000'],
    ['num_after', '0'],
    ['apply_markdown', 'false'],
    ['allow_empty_topic_name', 'true'],
  ] as const;
  const ask = (narrow: readonly unknown[], folded: Readonly<Record<string, unknown>>): Asked => ({
    whole: { userId, path: 'messages', parameters: [...everything, ['narrow', JSON.stringify(narrow)]] },
    folded: { ...folded, as: String(userId), num_before: 1000, num_after: 0 },
  });
  const channels = channelIds.flatMap((id) => [
    ask([{ operator: 'channel', operand: id }], { channel_id: id }),
    ...['a', 'b'].map((topic) =>
      ask(
        [
          { operator: 'channel', operand: id },
          { operator: 'topic', operand: topic },
        ],
        { channel_id: id, topic },
      ),
    ),
  ]);
  const pairs = people.map(({ id }) =>
    ask([{ operator: 'dm', operand: [id] }], { user_ids: [...new Set([id, userId])] }),
  );
  return [...channels, ...pairs];
}

async function wholePast(
  positions: readonly number[],
  queries: readonly PastQuery[],
): Promise<readonly WholePast[]> {
  const program = spawn(process.execPath, [resolve('dist/test/support/past-conversations.js')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: server.directory, ...stores.environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(JSON.stringify({ positions, queries }));
  return JSON.parse(await text(program.stdout)) as readonly WholePast[];
}

async function positionsOfPast(): Promise<readonly number[]> {
  const { head } = await owner.must('get', 'audit/projections');
  const positions = Array.from({ length: MOMENTS - 1 }, () => 30 + random((head as number) - 30));
  return [...new Set([...positions, head as number])].sort((one, other) => one - other);
}

const messagesIn = (body: Reply): readonly Reply[] => (body['messages'] ?? []) as readonly Reply[];

describe('the past of a conversation', () => {
  it('is what whole read models of then say, for everyone and at every moment', async () => {
    const positions = await positionsOfPast();
    const asked = people.flatMap(({ id }) => askedOf(id));
    const whole = await wholePast(
      positions,
      asked.map((one) => one.whole),
    );
    const wrong: unknown[] = [];
    let seen = 0;
    for (const [at, position] of positions.entries()) {
      for (const [index, { folded, whole: query }] of asked.entries()) {
        const answer = JSON.parse(whole[at]!.answers[index]!.body) as Reply;
        const expected: Seen = messagesIn(answer).map((one) => [one['id'], one['content'], one['subject']]);
        const found: Seen = messagesIn(
          await owner.must('get', 'audit/conversation', { ...folded, at: position }),
        ).map((one) => [one['id'], one['content'], one['topic'] ?? '']);
        seen += found.length;
        if (JSON.stringify(found) !== JSON.stringify(expected))
          wrong.push({ position, folded, query, found, expected });
      }
    }
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    expect(seen).toBeGreaterThan(100);
    for (const [at, position] of positions.entries()) {
      for (const channel_id of channelIds) {
        const all = { channel_id, at: position, num_before: 1000, num_after: 0 };
        const found = messagesIn(await owner.must('get', 'audit/conversation', all));
        const expected = whole[at]!.messages.filter(({ channelId }) => channelId === channel_id);
        expect(found.map(({ id, content, topic }) => [id, content, topic] as const)).toEqual(
          expected.map(({ _id, content, topic }) => [_id, content, topic]),
        );
      }
    }
  });

  it('had the audience and the readers of every message that whole read models of then tell', async () => {
    const positions = await positionsOfPast();
    const whole = await wholePast(positions, []);
    const audienceAt = async (id: number, at: number): Promise<readonly Reply[]> =>
      (await owner.must('get', `audit/messages/${id}/who-could-see`, { at }))['people'] as readonly Reply[];
    let read = 0;
    for (const [index, at] of positions.entries()) {
      for (const [id, expected] of whole[index]!.audiences) {
        const found = await audienceAt(id, at);
        const told = found.map(
          ({ user_id, access, has_read, marked_read }) =>
            [user_id, access, has_read === true || marked_read === true] as const,
        );
        expect({ seed, at, id, told }).toEqual({ seed, at, id, told: expected });
        read += told.filter(([, , hasRead]) => hasRead).length;
      }
      const there = new Set(whole[index]!.audiences.map(([id]) => id));
      const gone = whole.at(-1)!.messages.find(({ _id }) => !there.has(_id));
      if (gone === undefined) continue;
      const asked = await owner.get(`audit/messages/${gone._id}/who-could-see`, { at });
      expect(asked.body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' });
    }
    expect(read).toBeGreaterThan(50);
  });

  it('lets every person see of each message what the API of every moment would have answered', async () => {
    const positions = await positionsOfPast();
    const { events } = await owner.must('get', 'audit/log', { type: 'MessageSent', limit: 1000 });
    const last = (events as readonly Reply[]).length;
    const asked = people.flatMap(({ id: userId }) =>
      Array.from({ length: last }, (_none, index) => ({ userId, messageId: index + 1 })),
    );
    const parameters = [['apply_markdown', 'false'] as const, ['allow_empty_topic_name', 'true'] as const];
    const whole = await wholePast(
      positions,
      asked.map(({ userId, messageId }) => ({ userId, path: `messages/${messageId}`, parameters })),
    );
    const counted = { seen: 0, unseen: 0, changes: 0, flags: new Set<unknown>() };
    for (const [index, { userId, messageId }] of asked.entries()) {
      const history = `audit/messages/${messageId}/history`;
      const { views, views_cut } = await owner.must('get', history, { as: userId });
      expect(views_cut).toBe(false);
      counted.changes += views.length - 1;
      for (const [at, position] of positions.entries()) {
        const then = (views as readonly View[]).findLast((view) => view.position <= position);
        const { status, body } = whole[at]!.answers[index]!;
        const expected = status === 200 ? shownOf((JSON.parse(body) as Reply)['message'] as Reply) : null;
        const found = then?.message ?? null;
        expect({ seed, position, userId, messageId, found }).toEqual({
          seed,
          position,
          userId,
          messageId,
          found: expected,
        });
        counted[expected === null ? 'unseen' : 'seen'] += 1;
        for (const flag of (expected?.['flags'] ?? []) as readonly unknown[]) counted.flags.add(flag);
      }
    }
    expect(counted.seen).toBeGreaterThan(100);
    expect(counted.unseen).toBeGreaterThan(100);
    expect(counted.changes).toBeGreaterThan(100);
    const flags = ['read', 'starred', 'historical', 'mentioned', 'has_alert_word'];
    expect([...counted.flags]).toEqual(expect.arrayContaining(flags));
  });

  it('has every message where its life says that it lay', async () => {
    const positions = await positionsOfPast();
    const whole = await wholePast(positions, []);
    const ids = new Set(whole.flatMap(({ messages }) => messages.map(({ _id }) => _id)));
    let moves = 0;
    for (const id of ids) {
      const { steps } = await owner.must('get', `audit/messages/${id}/history`);
      const placed = (steps as readonly LifeStep[]).filter(({ change }) =>
        ['sent', 'moved'].includes(change.kind),
      );
      moves += placed.length - 1;
      for (const [index, at] of positions.entries()) {
        const expected = whole[index]!.messages.find(({ _id }) => _id === id);
        if (expected === undefined || expected.channelId === null) continue;
        const last = placed.findLast(({ position }) => position <= at)?.change;
        const { channelId, topic } = last?.to ?? last!.location!;
        expect({ seed, at, id, channelId, topic }).toEqual({
          seed,
          at,
          id,
          channelId: expected.channelId,
          topic: expected.topic,
        });
      }
    }
    expect(moves).toBeGreaterThan(0);
  });

  it('finds in the log what moved a message along with others, as its life does', async () => {
    const type = 'MessagesMoved,TopicResolved,TopicUnresolved';
    const { events: sendings } = await owner.must('get', 'audit/log', { type: 'MessageSent', limit: 1000 });
    const last = (sendings as readonly Reply[]).length;
    let max = { messageId: 0, unnamed: 0, positions: [] as readonly number[] };
    for (let message_id = 1; message_id <= last; message_id += 1) {
      const { steps } = await owner.must('get', `audit/messages/${message_id}/history`);
      const moved = (steps as readonly LifeStep[]).filter(({ change }) => change.kind === 'moved');
      const positions = moved.map(({ position }) => position);
      const found = async (order: object): Promise<readonly Reply[]> =>
        (await owner.must('get', 'audit/log', { message_id, type, limit: 1000, ...order }))[
          'events'
        ] as readonly Reply[];
      const forwards = await found({});
      expect({ seed, message_id, found: forwards.map(({ position }) => position as number) }).toEqual({
        seed,
        message_id,
        found: positions,
      });
      const backwards = await found({ newest_first: true });
      expect(backwards.map(({ position }) => position as number)).toEqual(positions.toReversed());
      const unnamed = forwards.filter(({ data }) => (data as Reply)['messageId'] !== message_id).length;
      if (unnamed > max.unnamed) max = { messageId: message_id, unnamed, positions };
    }
    expect(max.unnamed).toBeGreaterThan(0);
    const tool = new CommandLine({ DATA_DIR: server.directory, ...stores.environment });
    const types = type.split(',').flatMap((one) => ['--type', one]);
    const told = await tool.json('audit', 'log', '--message', String(max.messageId), ...types);
    expect(told.map(({ position }) => position as number)).toEqual(max.positions);
  });

  it('changes at the listed positions, and nowhere between', async () => {
    const [channel_id] = channelIds;
    const changes: Reply[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page = await owner.must('get', 'audit/conversation/changes', { channel_id, after, limit: 7 });
      changes.push(...(page['changes'] as readonly Reply[]));
      after = page['beyond'] as number | null;
    }
    const positions = changes.map((one) => one['position'] as number);
    expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other));
    const kinds = new Set<unknown>();
    for (const one of channelIds) {
      const all = await owner.must('get', 'audit/conversation/changes', { channel_id: one, limit: 1000 });
      for (const { kind } of all['changes'] as readonly Reply[]) kinds.add(kind);
    }
    expect(kinds).toEqual(new Set(['sent', 'edited', 'deleted', 'reacted', 'left', 'came']));
    const backwards: number[] = [];
    for (let before: number | null = 1_000_000; before !== null;) {
      const page = await owner.must('get', 'audit/conversation/changes', { channel_id, before, limit: 11 });
      backwards.push(...(page['changes'] as readonly Reply[]).map((one) => one['position'] as number));
      before = page['beyond'] as number | null;
    }
    expect(backwards.reverse()).toEqual(positions);
    const at = async (position: number): Promise<string> => {
      const asked = { channel_id, at: position, num_before: 1000, num_after: 0 };
      // What became of messages since is the same whenever it is asked.
      const shown = messagesIn(await owner.must('get', 'audit/conversation', asked));
      return JSON.stringify(shown.map(({ since: _since, ...one }) => one));
    };
    for (let step = 0; step < 12; step += 1) {
      const index = random(positions.length - 1);
      expect(await at(positions[index]!)).not.toBe(await at(positions[index]! - 1));
      expect(await at(positions[index + 1]! - 1)).toBe(await at(positions[index]!));
    }
  });

  it('tells with a conversation the changes around the moment, and records that as one look', async () => {
    const [channel_id] = channelIds;
    const { changes: all } = await owner.must('get', 'audit/conversation/changes', {
      channel_id,
      limit: 1000,
    });
    const listed = all as readonly Reply[];
    const positions = listed.map(({ position }) => position as number);
    const [first, last] = [positions[0]!, positions.at(-1)!];
    const moments = [
      1,
      first - 1,
      first,
      last - 1,
      last,
      last + 1,
      ...[1, 2, 3, 4].map(() => pick(positions)),
    ];
    const { head } = await owner.must('get', 'audit/projections');
    for (const at of moments) {
      const asked = { channel_id, at, num_before: 1, num_after: 0, with_changes: true };
      const { changes } = await owner.must('get', 'audit/conversation', asked);
      expect(changes).toEqual({
        current: listed.findLast(({ position }) => (position as number) <= at) ?? null,
        before: listed.findLast(({ position }) => (position as number) < at) ?? null,
        next: listed.find(({ position }) => (position as number) > at) ?? null,
        first: listed[0],
        last: listed.at(-1),
      });
    }
    const looks = await owner.must('get', 'audit/log', { type: 'LogAudited', after: head as number });
    expect(looks['events']).toHaveLength(moments.length + 1);
    expect((looks['events'] as readonly { data: Reply }[])[0]!.data).toMatchObject({
      view: 'conversation',
      asked: { changes: 'around the moment' },
    });
    const silent = {
      user_ids: [people[2]!.id, people[3]!.id],
      num_before: 1,
      num_after: 0,
      with_changes: true,
    };
    const none = { current: null, before: null, next: null, first: null, last: null };
    expect((await owner.must('get', 'audit/conversation', silent))['changes']).toEqual(none);
  });

  it('compares two moments as reading both of them does', async () => {
    const positions = await positionsOfPast();
    const places = channelIds.flatMap((channel_id) => [{ channel_id }, { channel_id, topic: pick(topics) }]);
    const views = [null, ...people.map(({ id }) => id)].flatMap((userId) =>
      [...places, { user_ids: [people[0]!.id, people[1]!.id] }].map((place) => ({ userId, place })),
    );
    for (const { userId, place } of views) {
      const [from, to] = [pick(positions), pick(positions)].sort((one, other) => one - other);
      const asked = { ...place, ...(userId !== null && { as: String(userId) }) };
      const read = async (at: number): Promise<ReadonlyMap<number, Reply>> => {
        const all = await owner.must('get', 'audit/conversation', {
          ...asked,
          at,
          num_before: 1000,
          num_after: 0,
        });
        return new Map(messagesIn(all).map((one) => [one['id'] as number, one]));
      };
      const [before, after] = [await read(from!), await read(to!)];
      const differences: Reply[] = [];
      let unchanged = 0;
      for (let next: number | null = 0; next !== null;) {
        const page = await owner.must('get', 'audit/conversation/comparison', {
          ...asked,
          from,
          to,
          after: next,
          limit: 5,
        });
        differences.push(...(page['differences'] as readonly Reply[]));
        unchanged += page['unchanged'] as number;
        next = page['after'] as number | null;
      }
      const ids = [...new Set([...before.keys(), ...after.keys()])].sort((one, other) => one - other);
      const stateOf = (message: Reply | undefined): string => {
        const fields = ['content', 'topic', 'channel_id', 'reactions', 'sight'];
        return JSON.stringify(fields.map((field) => message?.[field] as unknown));
      };
      const expected = ids.filter((id) => stateOf(before.get(id)) !== stateOf(after.get(id)));
      const found = differences.map((one) => ((one['before'] ?? one['after']) as Reply)['id']);
      expect(found).toEqual(expected);
      expect(unchanged).toBe(ids.length - expected.length);
      for (const { before: was, after: is, kind } of differences)
        expect(kind).toBe(was === null ? 'came' : is === null ? 'went' : 'changed');
    }
  });

  it('is for auditors, says what it does not understand, and every look is noted with what was asked', async () => {
    const { client, id } = people[0]!;
    const [channel_id] = channelIds;
    for (const path of ['', '/changes', '/comparison'].map((end) => `audit/conversation${end}`))
      expect(
        (await client.get(path, { channel_id, ...(path.endsWith('comparison') && { from: '1' }) })).body,
      ).toMatchObject({
        msg: 'Insufficient permission',
      });
    for (const nothing of [{}, { topic: 'a' }, { channel_id, user_ids: [id] }])
      expect((await owner.get('audit/conversation', nothing)).body).toMatchObject({ code: 'BAD_REQUEST' });
    for (const wrong of [{ at: 'yesterday' }, { anchor: 'middle' }, { num_before: 1001 }, { as: '4000' }])
      expect((await owner.get('audit/conversation', { channel_id, ...wrong })).status).toBe(400);
    await owner.must('get', 'audit/conversation', { channel_id, topic: 'a', at: '50', as: String(id) });
    const log = await owner.must('get', 'audit/log', { type: 'LogAudited', newest_first: true, limit: 1000 });
    const looks = (log['events'] as readonly { data: Reply; sentence: string }[]).filter(
      ({ data }) => data['view'] === 'conversation',
    );
    expect(looks[0]).toMatchObject({
      data: {
        selection: { channelId: channel_id, viewerId: id, to: { position: 50 } },
        asked: { topic: 'a', before: 50, after: 50 },
      },
      sentence: expect.stringContaining('read a conversation as it was over HTTP'),
    });
  });
});
