import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let stores: ServerStores;
let server: TestServer;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let messageId: number;

beforeAll(async () => {
  stores = await ServerStores.open();
  server = await TestServer.start({ stores, environment: { SEAL_EVERY_EVENTS: '5' } });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill');
  const subscriptions = JSON.stringify([{ name: 'engines' }]);
  await ada.client.must('post', 'users/me/subscriptions', { subscriptions });
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Ready.' };
  messageId = (await ada.client.must('post', 'messages', message))['id'] as number;
  await ada.client.must('patch', `messages/${messageId}`, { content: 'Almost ready.' });
});

afterAll(async () => {
  await server.stop();
  await stores.close();
});

/** The direct messages that tell the owner who may read the log, oldest first. */
async function noticesOfAuditors(): Promise<readonly { readonly content: string }[]> {
  const narrow = [{ operator: 'is', operand: 'dm' }];
  const page = { narrow, anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false };
  const { messages } = await owner.must('get', 'messages', page);
  return (messages as { content: string }[]).filter(({ content }) => content.includes('read the log'));
}

/** What is recorded of a look into the log. */
interface RecordedLook {
  readonly selection: { readonly viewerId: number | null };
}

describe('GET audit/event_types', () => {
  it('lists by name what the log may contain, with a sentence, for auditors', async () => {
    const { event_types: types } = await owner.must('get', 'audit/event_types');
    const names = (types as readonly { readonly type: string }[]).map(({ type }) => type);
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
    expect(types).toContainEqual({ type: 'PersonUnmuted', description: 'A person no longer mutes another.' });
    for (const type of ['MessageSent', 'UserRegistered', 'LogAudited']) expect(names).toContain(type);
    expect((await ada.client.get('audit/event_types')).body).toMatchObject({
      msg: 'Insufficient permission',
    });
  });
});

describe('GET audit/channels', () => {
  it('lists channels by name for auditors, also those that they are not in and archived ones', async () => {
    const vault = await ada.client.createChannel('a vault', { invite_only: true });
    const attic = await ada.client.createChannel('the attic');
    await owner.must('delete', `streams/${attic}`);
    const { channels } = await owner.must('get', 'audit/channels');
    const [first, second, last] = channels as readonly Record<string, unknown>[];
    expect(first).toEqual({ channel_id: vault, name: 'a vault', is_private: true, is_archived: false });
    expect(second).toMatchObject({ name: 'engines', is_private: false });
    expect(last).toMatchObject({ name: expect.stringContaining('the attic'), is_archived: true });
    expect((await ada.client.get('audit/channels')).body).toMatchObject({ msg: 'Insufficient permission' });
    const { events } = await owner.must('get', 'audit/log', { type: 'LogAudited' });
    expect(JSON.stringify(events)).not.toContain('a vault');
  });

  it('finds by a part of the name, by a whole name and by ids', async () => {
    const names = async (parameters: object): Promise<readonly unknown[]> => {
      const reply = await owner.must('get', 'audit/channels', { ...parameters });
      return (reply['channels'] as readonly { readonly name: string }[]).map(({ name }) => name);
    };
    await ada.client.createChannel('Engines, old');
    expect(await names({ name: 'ENGINE' })).toEqual(['engines', 'Engines, old']);
    expect(await names({ name: 'ENGINES', exact: true })).toEqual(['engines']);
    expect(await names({ name: 'nowhere' })).toEqual([]);
  });
});

/** What `GET audit/people` answers. */
interface PeoplePage {
  readonly people: readonly {
    readonly user_id: number;
    readonly full_name: string;
    readonly is_bot: boolean;
    readonly is_active: boolean;
  }[];
  readonly after: number | null;
}

describe('GET audit/people', () => {
  const ask = async (parameters: object = {}): Promise<PeoplePage> => {
    const { people, after } = await owner.must('get', 'audit/people', { ...parameters });
    return { people: people as PeoplePage['people'], after: after as number | null };
  };

  it('lists accounts by name in pages, with bots and former accounts, for auditors, and records no access', async () => {
    const { id: former } = await server.createUser(owner, 'Abel Former');
    await owner.must('delete', `users/${former}`);
    const all = await ask({ limit: 200 });
    expect(all.after).toBeNull();
    expect(all.people).toContainEqual({
      user_id: former,
      full_name: 'Abel Former',
      is_bot: false,
      is_active: false,
    });
    expect(all.people.filter(({ is_bot: isBot }) => isBot).length).toBeGreaterThan(0);
    const paged: PeoplePage['people'][number][] = [];
    for (let page = await ask({ limit: 1 }); ; page = await ask({ limit: 1, after: page.after })) {
      expect(page.people).toHaveLength(1);
      paged.push(...page.people);
      if (page.after === null) break;
    }
    expect(paged).toEqual(all.people);
    const sorted = [...paged].sort(
      (one, other) => one.full_name.localeCompare(other.full_name, 'en') || one.user_id - other.user_id,
    );
    expect(paged).toEqual(sorted);
    expect((await ada.client.get('audit/people')).body).toMatchObject({ msg: 'Insufficient permission' });
    const { events } = await owner.must('get', 'audit/log', { type: 'LogAudited' });
    expect(JSON.stringify(events)).not.toContain('people');
  });

  it('finds by name and by ids, and refuses more than one reply holds', async () => {
    const found = await ask({ name: 'ADA qui' });
    expect(found.people.map(({ user_id: id }) => id)).toContain(ada.id);
    expect((await ask({ name: 'ada qui', exact: true })).people).toEqual([]);
    const { people, after } = await ask({ ids: [ada.id, 99_999, ada.id] });
    expect([people.map(({ user_id: id }) => id), after]).toEqual([[ada.id], null]);
    const ids = Array.from({ length: 201 }, (_, index) => index);
    for (const parameters of [{ ids }, { limit: 201 }, { limit: 0 }])
      expect((await owner.get('audit/people', parameters)).status).toBe(400);
    expect((await owner.get('audit/people', { after: 99_999 })).body).toMatchObject({ msg: 'No such user' });
  });
});

describe('GET audit/log', () => {
  it('leaves out what events contain if it is told to, and does not record that', async () => {
    const recorded = async (): Promise<readonly unknown[]> => {
      const newest = { type: 'LogAudited', newest_first: true, limit: 1 };
      const { events } = await owner.must('get', 'audit/log', newest);
      return (events as readonly { readonly data: unknown }[]).map(({ data }) => data);
    };
    for (const path of ['audit/log', `audit/people/${ada.id}`]) {
      const whole = await owner.must('get', path, { limit: 3 });
      const records = [await recorded()];
      const { events, ...page } = await owner.must('get', path, { limit: 3, with_data: false });
      records.push(await recorded());
      const expected = (whole['events'] as readonly { readonly data: unknown }[]).map(
        ({ data: _data, ...event }) => event,
      );
      expect({ ...page, events }).toEqual({ ...whole, events: expected });
      expect(records[1]).toEqual(records[0]);
    }
  });

  it('is for auditors, and how read models are doing for owners', async () => {
    for (const path of ['audit/log', `audit/messages/${messageId}/history`]) {
      expect((await ada.client.get(path)).body).toMatchObject({ msg: 'Insufficient permission' });
    }
    expect((await ada.client.get('audit/projections')).body).toMatchObject({
      msg: 'Must be an organization owner',
    });
  });

  it('is for whom the organization permits it, never for guests and bots, and owners hear of every change', async () => {
    const [guest, bot] = [await server.createUser(owner, 'Gus'), await server.createBot(owner, 'Auditing')];
    await owner.must('patch', `users/${guest.id}`, { role: 600 });
    const auditors = { direct_members: [ada.id, guest.id, bot.id], direct_subgroups: [7] };
    const given = { new: auditors, old: 7 };
    const refused = await ada.client.patch('realm', { can_audit_group: given });
    expect(refused.body).toMatchObject({ result: 'error' });
    await owner.must('patch', 'realm', { can_audit_group: given });
    await ada.client.must('get', 'audit/log', { limit: 1 });
    await ada.client.must('get', `audit/messages/${messageId}/history`);
    for (const { client } of [guest, bot])
      expect((await client.get('audit/log')).body).toMatchObject({ msg: 'Insufficient permission' });
    const [message] = await eventually(noticesOfAuditors, (messages) => messages.length > 0);
    expect(message!.content).toContain('changed who may read the log of this organization');
    expect(message!.content).toContain('Ada Quill');
    await owner.must('patch', 'realm', { can_audit_group: { new: 7, old: auditors } });
    expect((await ada.client.get('audit/log')).body).toMatchObject({ msg: 'Insufficient permission' });
    expect(await eventually(noticesOfAuditors, (messages) => messages.length > 1)).toHaveLength(2);
  });

  it('lets only owners add to a group of auditors, and owners hear who came and who left', async () => {
    const bea = await server.createUser(owner, 'Bea');
    const carl = await server.createUser(owner, 'Carl');
    await owner.must('patch', `users/${carl.id}`, { role: 200 });
    const group = { name: 'Auditors', description: '', members: [ada.id] };
    const { group_id: groupId } = await ada.client.must('post', 'user_groups/create', group);
    const auditors = { direct_members: [], direct_subgroups: [5, groupId as number] };
    const before = (await noticesOfAuditors()).length;
    await owner.must('patch', 'realm', { can_audit_group: { new: auditors, old: 7 } });
    const path = `user_groups/${groupId}/members`;
    expect((await ada.client.post(path, { add: [bea.id] })).body).toMatchObject({
      result: 'error',
      msg: 'Insufficient permission',
    });
    expect((await bea.client.get('audit/log', { limit: 1 })).body).toMatchObject({ result: 'error' });
    await owner.must('post', path, { add: [bea.id] });
    await bea.client.must('get', 'audit/log', { limit: 1 });
    await ada.client.must('post', path, { delete: [bea.id] });
    await carl.client.must('patch', `users/${bea.id}`, { role: 300 });
    await carl.client.must('patch', `users/${bea.id}`, { role: 200 });
    await carl.client.must('delete', `users/${bea.id}`);
    await owner.must('patch', 'realm', { can_audit_group: { new: 7, old: auditors } });
    const notices = await eventually(noticesOfAuditors, (all) => all.length >= before + 6);
    const said = notices
      .slice(before)
      .map(({ content }) => content.replaceAll(/@_\*\*([^|*]+)(\|\d+)?\*\*/g, '$1'));
    const what = 'changed who may read the log of this organization, with every message in it';
    expect(said.map((content) => content.replace(what, 'changed it'))).toEqual([
      expect.stringMatching(
        /^.+ changed it: now moderators, @_\*Auditors\*, instead of owners\. New auditors: Ada Quill, Carl\.$/,
      ),
      expect.stringMatching(/^.+ changed it\. New auditors: Bea\.$/),
      'Ada Quill changed it. No longer auditors: Bea.',
      'Carl changed it. New auditors: Bea.',
      'Carl changed it. No longer auditors: Bea.',
      expect.stringMatching(/: now owners, instead of .+\. No longer auditors: Ada Quill, Carl\.$/),
    ]);
  });

  it('reads the log page by page', async () => {
    const positions: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page = await owner.must('get', 'audit/log', { after, limit: 7, stream: 'users' });
      positions.push(...page['events'].map(({ position }: { position: number }) => position));
      after = page['found_newest'] === true ? null : (page['position'] as number);
    }
    expect(positions.length).toBeGreaterThan(2);
    expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other));
  });

  it('reads on from any position, whether or not an event is there', async () => {
    const whole = await owner.must('get', 'audit/log', { limit: 1000 });
    const positions = whole['events'].map(({ position }: { position: number }) => position) as number[];
    expect(whole['events'].map(({ type }: { type: string }) => type)).toContain('LogSealed');
    for (const [index, position] of positions.entries()) {
      const page = await owner.must('get', 'audit/log', { after: position - 1, limit: 1 });
      expect(page).toMatchObject({ position, events: [{ position: positions[index] }] });
    }
    const behind = { after: positions.at(-1)! + 1_000_000 };
    expect(await owner.must('get', 'audit/log', behind)).toMatchObject({ events: [], found_newest: true });
  });

  it.each(['actor_id', 'message_id', 'channel_id', 'after'])('knows no negative %s', async (name) => {
    const { status, body } = await owner.get('audit/log', { [name]: -1 });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('filters, and is itself an event', async () => {
    const page = await owner.must('get', 'audit/log', { message_id: messageId });
    expect(page['events'].map(({ type }: { type: string }) => type)).toEqual([
      'MessageSent',
      'MessageEdited',
    ]);
    const audits = await owner.must('get', 'audit/log', { type: 'LogAudited', limit: 1000 });
    expect(audits['events'].map(({ data }: { data: object }) => data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ view: 'log', selection: expect.objectContaining({ messageId }) }),
      ]),
    );
  });
});

describe('the filters of GET audit/log', () => {
  interface LoggedEvent {
    readonly position: number;
    readonly type: string;
    readonly sentence: string;
    readonly metadata: { readonly actorId: number | null; readonly at: number };
    readonly data: Readonly<Record<string, unknown>>;
  }
  /** All of it, however few pages of the log a request looks at. */
  const read = async (parameters: object): Promise<readonly LoggedEvent[]> => {
    const events: LoggedEvent[] = [];
    for (let asked: object = parameters; ;) {
      const page = await owner.must('get', 'audit/log', { limit: 1000, ...asked });
      events.push(...(page['events'] as LoggedEvent[]));
      if (page['found_newest'] === true) return events;
      asked = { ...parameters, after: page['position'] as number };
    }
  };

  it('know who acted by id and by address, and the server', async () => {
    const whole = await read({});
    const byAda = whole.filter(({ metadata }) => metadata.actorId === ada.id);
    expect(byAda.length).toBeGreaterThan(2);
    for (const actor of [String(ada.id), 'Ada.Quill@example.com'])
      expect(await read({ actor })).toEqual(byAda);
    const actors = (await read({ actor: 'server' })).map(({ metadata }) => metadata.actorId);
    expect(new Set(actors)).toEqual(new Set([null]));
    expect((await owner.get('audit/log', { actor: 'nobody@example.com' })).body).toMatchObject({
      msg: 'No such user',
    });
    const contradicting = { actor: String(ada.id), actor_id: ada.id + 1 };
    expect((await owner.get('audit/log', contradicting)).body).toMatchObject({
      code: 'REQUEST_CONFUSING_VAR',
    });
  });

  it('begin and end at positions and times, both included', async () => {
    const [sent] = await read({ type: 'MessageSent', message_id: messageId });
    const [edited] = await read({ type: 'MessageEdited', message_id: messageId });
    const time = ({ metadata }: LoggedEvent): string => new Date(metadata.at).toISOString();
    const bounds = [
      { from: sent!.position, to: edited!.position },
      { from: time(sent!), to: time(edited!) },
      { from: sent!.position, to: time(edited!), after: sent!.position - 1 },
    ];
    for (const bound of bounds) {
      const events = await read({ ...bound, message_id: messageId });
      expect(events.map(({ type }) => type)).toEqual(['MessageSent', 'MessageEdited']);
    }
    expect(await read({ from: sent!.position, to: edited!.position - 1, type: 'MessageEdited' })).toEqual([]);
    expect((await owner.get('audit/log', { from: 'yesterday' })).body).toMatchObject({
      msg: 'from is neither a position nor a time',
    });
  });

  it('leave events that are told in sentences, with the names of then, as by the command line', async () => {
    const tool = new CommandLine({ DATA_DIR: server.directory, ...stores.environment });
    const events = await read({ actor: String(ada.id), to: '2100-01-01' });
    const printed = await tool.must('audit', 'log', '--actor', String(ada.id));
    const sentences = (some: readonly LoggedEvent[]): readonly string[] =>
      some.map(({ sentence }) => sentence);
    const lines = printed.trim().split('\n').slice(1);
    expect(lines.length).toBe(events.length);
    lines.forEach((line, index) => expect(line.endsWith(`  ${events[index]!.sentence}`)).toBe(true));
    const before = await read({ type: 'MessageSent', message_id: messageId });
    await owner.must('patch', `users/${ada.id}`, { full_name: 'Ada Renamed' });
    expect(await read({ type: 'MessageSent', message_id: messageId })).toEqual(before);
    expect(sentences(before)).toEqual([expect.stringContaining('Ada Quill')]);
    await ada.client.createChannel('looms');
    const created = await read({ type: 'ChannelCreated', actor: ada.id });
    expect(sentences(created.slice(-1))).toEqual([expect.stringContaining('Ada Renamed')]);
    await owner.must('patch', `users/${ada.id}`, { full_name: 'Ada Quill' });
  });

  it('are recorded with the access', async () => {
    await read({ actor: 'server', from: '2026-01-01', to: 7 });
    const recorded = (await read({ type: 'LogAudited' })).map(({ data }) => data['selection']);
    expect(recorded).toContainEqual(
      expect.objectContaining({
        actorId: null,
        byServer: true,
        from: { time: Date.parse('2026-01-01') },
        to: { position: 7 },
      }),
    );
  });

  it('are refused where they are not known', async () => {
    const paths = ['audit/log', 'audit/projections', `audit/messages/${messageId}/history`];
    for (const path of paths) {
      const { status, body } = await owner.get(path, { actors: 'ada' });
      expect([path, status, body.msg]).toEqual([path, 400, "Unknown argument 'actors'"]);
    }
  });
});

describe('The events of moves', () => {
  it('come with the number of messages that were moved', async () => {
    await owner.createChannel('yards');
    const ids: number[] = [];
    for (const content of ['One.', 'Two.', 'Three.'])
      ids.push(await owner.sendToChannel('yards', 'spools', content));
    const move = (id: number, topic: string, mode: string): Promise<unknown> =>
      owner.must('patch', `messages/${id}`, { topic, propagate_mode: mode });
    await move(ids[1]!, 'bobbins', 'change_later');
    await move(ids[2]!, 'reels', 'change_one');
    interface Move {
      readonly position: number;
      readonly moved_messages: number;
      readonly sentence: string;
    }
    const { events } = await owner.must('get', 'audit/log', { type: 'MessagesMoved', message_id: ids[2]! });
    const moves = events as readonly Move[];
    expect(moves.map((one) => one.moved_messages)).toEqual([2, 1]);
    expect(moves.map(({ sentence }) => sentence.replaceAll(/ \(\d+\)/g, ''))).toEqual([
      `Owner moved 2 messages from #yards > “spools” to #yards > “bobbins”, beginning with message ${ids[1]}.`,
      `Owner moved message ${ids[2]} from #yards > “bobbins” to #yards > “reels”.`,
    ]);
    const { steps } = await owner.must('get', `audit/messages/${ids[2]}/history`);
    expect((steps as readonly Move[]).slice(1).map(({ sentence }) => sentence)).toEqual(
      moves.map(({ sentence }) => sentence),
    );
    const { event } = await owner.must('get', `audit/events/${moves[0]!.position}`);
    expect(event).toEqual(moves[0]);
    const sent = await owner.must('get', 'audit/log', { type: 'MessageSent', message_id: ids[2]! });
    expect(sent['events']).toEqual([expect.not.objectContaining({ moved_messages: expect.anything() })]);
  });
});

describe('GET audit/messages/{message_id}/history', () => {
  it('tells the whole life of a message', async () => {
    const life = await owner.must('get', `audit/messages/${messageId}/history`);
    expect(life).toMatchObject({ message_id: messageId, sender_id: ada.id });
    expect(life['steps'].map(({ change }: { change: { kind: string } }) => change.kind)).toEqual([
      'sent',
      'edited',
    ]);
  });

  it('tells each step in the sentence of the log, by the command line too', async () => {
    interface Told {
      readonly sentence: string;
    }
    const sentencesIn = (told: readonly Told[]): readonly string[] => told.map(({ sentence }) => sentence);
    const log = await owner.must('get', 'audit/log', { message_id: messageId });
    const expected = sentencesIn(log['events'] as Told[]);
    expect(expected).toEqual([expect.stringContaining('Ada Quill'), expect.stringContaining('Ada Quill')]);
    const path = `audit/messages/${messageId}/history`;
    const { steps } = await owner.must('get', path);
    expect(sentencesIn(steps as Told[])).toEqual(expected);
    const tool = new CommandLine({ DATA_DIR: server.directory, ...stores.environment });
    const [life] = await tool.json('audit', 'history', String(messageId));
    expect(life).toMatchObject({ messageId, senderId: ada.id });
    expect(sentencesIn(life!['steps'] as Told[])).toEqual(expected);
    // The event itself is the log's to give.
    expect(life!['steps'].filter((step: object) => 'event' in step)).toEqual([]);
  });

  it('returns what a person could see of the message, like the command line', async () => {
    const bo = await server.createUser(owner, 'Bo Late');
    const path = `audit/messages/${messageId}/history`;
    const subscriptions = JSON.stringify(['engines']);
    await ada.client.must('delete', 'users/me/subscriptions', { subscriptions });
    const privately = { is_private: true, history_public_to_subscribers: false };
    await owner.must('patch', `streams/${await owner.channelId('engines')}`, privately);
    const looks = [String(ada.id), 'Ada.Quill@example.com', String(bo.id)];
    const answers = [];
    for (const as of looks) answers.push(await owner.must('get', path, { as }));
    const { viewer_id: viewerId, sender_id: senderId, steps } = answers[0]!;
    expect({ viewerId, senderId, steps: steps.length }).toEqual({
      viewerId: ada.id,
      senderId: ada.id,
      steps: 2,
    });
    expect(steps).toEqual((await owner.must('get', path))['steps']);
    const told = answers.map(({ views }) =>
      views.map(({ message }: { message: { content: string } | null }) => message?.content ?? null),
    );
    expect(told[0]).toEqual(expect.arrayContaining(['Ready.', 'Almost ready.', null]));
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual([null, 'Almost ready.', null]);
    const tool = new CommandLine({ DATA_DIR: server.directory, ...stores.environment });
    const lines = await tool.json('audit', 'history', String(messageId), '--as', String(ada.id));
    expect(lines).toEqual(answers[0]!['views']);
    const audits = await owner.must('get', 'audit/log', { type: 'LogAudited', limit: 1000 });
    const viewers = audits['events'].map(({ data }: { data: RecordedLook }) => data.selection.viewerId);
    expect(viewers.filter((id: number | null) => id !== null)).toEqual([ada.id, ada.id, bo.id, ada.id]);
  });

  it('refuses to look for nobody, and is for auditors', async () => {
    const path = `audit/messages/${messageId}/history`;
    expect((await owner.get(path, { as: 'nobody@example.com' })).body.msg).toBe('No such user');
    expect((await ada.client.get(path, { as: ada.id })).body.msg).toBe('Insufficient permission');
    expect((await owner.get('audit/messages/4711/history', { as: ada.id })).body.msg).toBe(
      'Invalid message(s)',
    );
  });

  it('answers that there is no such message', async () => {
    expect((await owner.get('audit/messages/4711/history')).body).toMatchObject({
      msg: 'Invalid message(s)',
    });
  });
});

describe('GET audit/projections', () => {
  it('tells how every read model is doing', async () => {
    // What came before may still have to be passed.
    const {
      projections,
      dead_letters: letters,
      head,
    } = await eventually(
      () => owner.must('get', 'audit/projections'),
      (report) =>
        (report['projections'] as readonly Reply[]).some(
          ({ projection, lagEvents }) => projection === 'messages' && lagEvents === 0,
        ),
    );
    expect(projections).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ projection: 'messages', state: 'live', lagEvents: 0 }),
      ]),
    );
    expect(letters).toEqual([]);
    expect(head).toBeGreaterThan(0);
  });
});
