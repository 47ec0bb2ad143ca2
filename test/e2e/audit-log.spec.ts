import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { expand } from '../../src/stores/event-store/embedded/shorthand.js';
import { MessageSent } from '../../src/events/messages.js';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine, type JsonLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { beginLog, openStoppedServer } from '../support/stopped-server.js';
import { standIn } from '../support/stand-in.js';

let stores: ServerStores;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let ben: { readonly id: number; readonly client: ApiClient };
let messageId: number;
let otherId: number;
/** The log after all of that; the server goes on and seals it. */
let all: readonly JsonLine[];

const json = JSON.stringify;

beforeAll(async () => {
  stores = await ServerStores.open();
  server = await TestServer.start({ stores, environment: { SEAL_EVERY_SECONDS: '1' } });
  tool = new CommandLine({ DATA_DIR: server.directory, ...stores.environment });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill');
  ben = await server.createUser(owner, 'Ben Loom');
  for (const { client } of [ada, ben]) {
    await client.must('post', 'users/me/subscriptions', {
      subscriptions: json([{ name: 'engines' }, { name: 'looms' }]),
    });
  }
  messageId = await send('engines', 'Note **G** is ready.');
  otherId = await send('engines', 'Something else.');
  await ada.client.must('patch', `messages/${messageId}`, { content: 'Note **G** is almost finished.' });
  await ben.client.must('post', `messages/${messageId}/reactions`, { emoji_name: 'octopus' });
  await ben.client.must('delete', `messages/${messageId}/reactions`, { emoji_name: 'octopus' });
  const looms = await ada.client.channelId('looms');
  await owner.must('patch', `messages/${messageId}`, { topic: 'cards', stream_id: looms });
  await owner.must('delete', `messages/${messageId}`);
  all = await tool.json('audit', 'log');
});

afterAll(async () => {
  await server.stop();
  await stores.close();
});

async function send(channel: string, content: string): Promise<number> {
  return ada.client.sendToChannel(channel, 'notes', content);
}

const lastPosition = (): string => String(all.at(-1)!['position']);

describe('audit log', () => {
  it('shows every event in log order, with who acted and what they wrote', () => {
    const positions = all.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(all[0]).toMatchObject({ type: 'OrganizationCreated', metadata: { actorId: null } });
    expect(all.find(({ type }) => type === 'MessageSent')).toBeDefined();
    expect(all.filter(({ data }) => data.content === 'Note **G** is ready.')).toHaveLength(1);
  });

  it('shows a line for each to people', async () => {
    const [heading, ...lines] = (await tool.must('audit', 'log', '--type', 'MessageEdited'))
      .trimEnd()
      .split('\n');
    expect(heading).toBe('POSITION  TIME (UTC)               EVENT                 WHAT HAPPENED');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^ +\d+ {2}[\d-]{10} [\d:.]{12} {2}MessageEdited +Ada Quill \(\d+\) edited message \d+, which now says “Note \*\*G\*\* is almost finished.”.$/,
    );
  });

  it('shows people under the names that they had at the time of the event', async () => {
    const { id } = await server.createUser(owner, 'Cora Weft');
    await owner.must('patch', `users/${id}`, { full_name: 'Cora Warp' });
    await owner.must('delete', `users/${id}`);
    const types = ['UserRegistered', 'UserRenamed', 'UserDeactivated'].flatMap((type) => ['--type', type]);
    const text = await tool.must('audit', 'log', '--stream', 'users', ...types);
    const sentences = text.split('\n').filter((line) => line.includes(`(${id})`));
    expect(sentences.map((line) => line.replace(/^.*Owner \(\d+\) /, ''))).toEqual([
      `made the account Cora Weft (${id}), a member, with the address cora.weft@example.com.`,
      `gave the account of Cora Weft (${id}) the name “Cora Warp”.`,
      `deactivated the account of Cora Warp (${id}).`,
    ]);
  });

  it('follows a message, and nothing else', async () => {
    const events = await tool.json('audit', 'log', '--message', String(messageId));
    expect(events.map(({ type }) => type)).toEqual([
      'MessageSent',
      'MessageEdited',
      'ReactionAdded',
      'ReactionRemoved',
      'MessagesMoved',
      'MessageDeleted',
    ]);
  });

  it.each([
    ['a stream', () => ['--stream', 'users'], (event: JsonLine) => event.stream === 'users'],
    [
      'streams of a kind',
      () => ['--stream', 'message-*'],
      (event: JsonLine) => event.stream.startsWith('message-'),
    ],
    [
      'an actor by address',
      () => ['--actor', 'BEN.loom@example.com'],
      (event: JsonLine) => event.metadata.actorId === ben.id,
    ],
    [
      'an actor by id',
      () => ['--actor', String(ada.id)],
      (event: JsonLine) => event.metadata.actorId === ada.id,
    ],
    ['the server', () => ['--actor', 'server'], (event: JsonLine) => event.metadata.actorId === null],
    ['a type', () => ['--type', 'MessageSent'], (event: JsonLine) => event.type === 'MessageSent'],
  ])('filters by %s', async (_what, filter, isWanted) => {
    const filtered = await tool.json('audit', 'log', ...filter(), '--to', lastPosition());
    expect(filtered.length).toBeGreaterThan(0);
    expect(filtered.map(({ id }) => id)).toEqual(all.filter(isWanted).map(({ id }) => id));
  });

  it('filters by channel, by name as by id', async () => {
    const byName = await tool.json('audit', 'log', '--channel', 'looms');
    expect(byName.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ChannelCreated', 'UsersSubscribed', 'MessagesMoved']),
    );
    expect(byName.every(({ data }) => data.messageId !== otherId)).toBe(true);
    const created = byName.find(({ type }) => type === 'ChannelCreated')!;
    expect(await tool.json('audit', 'log', '--channel', String(created['data'].channelId))).toEqual(byName);
  });

  it('filters by position and by time, both ends included', async () => {
    const [from, to] = [all[3]!, all[6]!];
    const byPosition = await tool.json(
      'audit',
      'log',
      '--from',
      String(from.position),
      '--to',
      String(to.position),
    );
    expect(byPosition).toEqual(all.slice(3, 7));
    const since = new Date(to.metadata.at as number).toISOString();
    const byTime = await tool.json('audit', 'log', '--from', since, '--to', lastPosition());
    expect(byTime).toEqual(all.filter(({ metadata }) => metadata.at >= to.metadata.at));
  });

  it('tells what somebody did and what concerns them', async () => {
    const about = await tool.json('audit', 'log', '--about', 'ben.loom@example.com');
    const positions = about.map(({ position }) => position);
    for (const event of all) {
      const { type, data, metadata } = event as { type: string; data: JsonLine; metadata: JsonLine };
      const isBen = metadata['actorId'] === ben.id || data['userId'] === ben.id;
      if (isBen) expect(positions).toContain(event.position);
      if (type === 'MessageEdited') expect(positions).not.toContain(event.position);
    }
    // What others did to them: the owner made the account, and it was subscribed with others.
    expect(about.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['UserRegistered', 'UsersSubscribed', 'ReactionAdded']),
    );
  });

  it('tells what people did in a role, and to messages of others', async () => {
    const roleOf = async (...filters: readonly string[]): Promise<readonly unknown[]> =>
      (await tool.json('audit', 'log', ...filters)).map(({ type }) => type);
    expect(await roleOf('--role', 'owner', '--others')).toEqual(['MessagesMoved', 'MessageDeleted']);
    expect(await roleOf('--role', 'member', '--others')).toEqual(['ReactionAdded', 'ReactionRemoved']);
    expect(await roleOf('--role', 'guest')).toEqual([]);
    const { code, stderr } = await tool.run('audit', 'log', '--role', 'king');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no role "king"'),
    });
  });

  it('filters by topic and by own content, as the query of the API does', async () => {
    const looms = await ada.client.channelId('looms');
    const head = lastPosition();
    for (const [words, parameters, types] of [
      [
        [
          '--channel',
          'looms',
          '--topic',
          'CARDS ',
          ...['--type', 'ChannelCreated', '--type', 'MessagesMoved'],
        ],
        { channel_id: looms, topic: 'CARDS ', type: 'ChannelCreated,MessagesMoved' },
        ['MessagesMoved'],
      ],
      [
        ['--content', 'own', '--actor', 'ada.quill@example.com', '--message', String(messageId)],
        { content: 'own', actor: ada.id, message_id: messageId },
        ['MessageSent', 'MessageEdited'],
      ],
      [['--content', 'own', '--role', 'guest'], { content: 'own', role: 'guest' }, []],
      [
        ['--content', 'others', '--role', 'owner'],
        { content: 'others', role: 'owner' },
        ['MessagesMoved', 'MessageDeleted'],
      ],
    ] as const) {
      const printed = await tool.json('audit', 'log', '--to', head, ...words);
      expect(printed.map(({ type }) => type)).toEqual(types);
      const page = await owner.must('get', 'audit/log', { to: head, limit: 1000, ...parameters });
      const events = page['events'] as readonly JsonLine[];
      expect(printed.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    }
    const asked = (await tool.json('audit', 'log', '--type', 'LogAudited'))
      .map(({ data }) => data as JsonLine)
      .filter(({ operator }) => operator !== null);
    expect(asked).toContainEqual(
      expect.objectContaining({
        asked: { topic: 'CARDS ' },
        selection: expect.objectContaining({ channelId: looms }),
      }),
    );
    expect(asked).toContainEqual(expect.objectContaining({ asked: { role: 'guest', content: 'own' } }));
  });

  it('writes for spreadsheets, where no name is taken for a formula', async () => {
    const { id, client } = await server.createUser(owner, 'Dee');
    await client.must('patch', 'settings', { full_name: '=1+1, x' });
    await client.must('patch', 'settings', { enable_sounds: false });
    const csv = await tool.must(
      'audit',
      'log',
      '--csv',
      '--actor',
      String(id),
      '--type',
      'UserSettingChanged',
    );
    const [heading, row] = csv.split('\n');
    expect(heading).toBe('position,time,type,stream,revision,actor_id,client,what_happened');
    expect(row).toMatch(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,\w+,[\w-]+,\d+,\d+,[^,]+,"'=1\+1, x.*"$/);
    expect(await tool.run('audit', 'log', '--csv', '--json')).toMatchObject({ code: 2 });
  });

  it('gives programs the same as the server, with the sentence and the number of moved messages', async () => {
    const types = ['--type', 'MessagesMoved', '--type', 'MessageEdited'];
    const lines = await tool.json('audit', 'log', '--message', String(messageId), ...types);
    const { events } = await owner.must('get', 'audit/log', { message_id: messageId });
    const shown = (events as readonly JsonLine[]).filter(({ type }) =>
      ['MessagesMoved', 'MessageEdited'].includes(type as string),
    );
    expect(lines).toEqual(shown);
    const [edited, moved] = lines;
    expect(edited!['sentence']).toContain('Ada Quill');
    expect(moved).toMatchObject({
      moved_messages: 1,
      sentence: expect.stringContaining(`message ${messageId}`),
    });
  });

  it('tells how many messages were moved, also while no server runs', async () => {
    const own = await ServerStores.open();
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-moves-'));
    const stopped = await TestServer.start({ stores: own, directory });
    try {
      const client = await stopped.owner();
      await client.createChannel('yards');
      const first = await client.sendToChannel('yards', 'spools', 'One.');
      await client.sendToChannel('yards', 'spools', 'Two.');
      await client.must('patch', `messages/${first}`, { topic: 'bobbins', propagate_mode: 'change_all' });
      const here = new CommandLine({ DATA_DIR: directory, ...own.environment });
      const counted = /moved 2 messages from .* > “spools” to .* > “bobbins”/;
      const log = (): Promise<string> => here.must('audit', 'log', '--type', 'MessagesMoved');
      await eventually(log, (text) => counted.test(text));
      await stopped.stop();
      expect(await log()).toMatch(counted);
      const [life] = await here.json('audit', 'history', String(first));
      const steps = life!['steps'] as readonly JsonLine[];
      expect(steps.at(-1)!['sentence']).toMatch(counted);
    } finally {
      await stopped.stop();
      await own.close();
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('stops after as many as were asked for', async () => {
    expect(await tool.json('audit', 'log', '--limit', '2')).toHaveLength(2);
  });

  it.each([
    [['--type', 'MessageSnet'], 'There is no event type "MessageSnet"'],
    [['--actor', 'nobody@example.com'], 'Nobody has the id or the e-mail address "nobody@example.com".'],
    [['--channel', 'nowhere'], 'There is no channel "nowhere".'],
    [['--from', 'yesterday'], '"yesterday" is neither a position nor a time'],
    [['--topic', 'notes'], '--topic needs --channel.'],
    [['--content', 'mine'], '"mine" is neither own nor others.'],
    [['--others', '--content', 'own'], 'Say either --others or --content own.'],
    [['--message', 'x'], '"x" is not a whole number.'],
    [['--colour'], "unknown option '--colour'"],
  ])('refuses %j with a sentence', async (words, sentence) => {
    const { code, stderr } = await tool.run('audit', 'log', ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });

  it('says that there is no log, and makes nothing', async () => {
    const nowhere = new CommandLine({ DATA_DIR: '/tmp/palimpsest-no-such-directory' });
    const { code, stderr } = await nowhere.run('audit', 'log');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'There is no event log in DATA_DIR /tmp/palimpsest-no-such-directory: start the server once, or name another directory\n',
    });
  });
});

describe('audit history', () => {
  it('tells a message’s whole life, also after it was deleted', async () => {
    const text = await tool.must('audit', 'history', String(messageId));
    expect(text.replaceAll(/^[\d-]+ [\d:.]+ {2}/gm, '').replaceAll(/ \(\d+\)| {2}\(.*\)/g, '')).toBe(
      [
        'Ada Quill sent it to #engines > notes',
        '    Note **G** is ready.',
        'Ada Quill edited it',
        '    Note **G** is [-ready-]{+almost finished+}.',
        'Ben Loom reacted with :octopus:',
        'Ben Loom took :octopus: back',
        'Owner moved it from #engines > notes to #looms > cards',
        'Owner deleted it',
        '',
      ].join('\n'),
    );
  });

  it('gives the same to programs', async () => {
    const life = (await tool.json('audit', 'history', String(messageId)))[0]!;
    expect(life).toMatchObject({ messageId, senderId: ada.id });
    expect(life['steps'].map(({ change }: JsonLine) => change.kind)).toEqual([
      'sent',
      'edited',
      'reaction-added',
      'reaction-removed',
      'moved',
      'deleted',
    ]);
  });

  it('shows what a person could see of the message, and when', async () => {
    const views = await tool.json('audit', 'history', String(messageId), '--as', 'ben.loom@example.com');
    expect(views.map(({ message }) => message && [message.subject, message.content])).toEqual([
      ['notes', 'Note **G** is ready.'],
      ['notes', 'Note **G** is almost finished.'],
      ['cards', 'Note **G** is almost finished.'],
      null,
    ]);
    const direct = await ada.client.must('post', 'messages', {
      type: 'direct',
      to: json([ada.id]),
      content: 'Mine.',
    });
    const hidden = await tool.must('audit', 'history', String(direct['id']), '--as', String(ben.id));
    expect(hidden).toMatch(/^[\d-]+ [\d:.]+ {2}\(position \d+\) {2}could not be seen\n$/);
    // What was possible is said, not what somebody did.
    const possible = await tool.must('audit', 'history', String(direct['id']), '--as', String(ada.id));
    expect(possible).toMatch(/ {2}could be seen directly, unread: "Mine\."\n$/);
  });

  it('writes both for spreadsheets, where no text is taken for a formula', async () => {
    const id = await send('engines', '=1+1, "so"');
    await owner.must('patch', `messages/${id}`, { topic: 'cards' });
    const text = `"'=1+1, ""so"""`;
    const [from, to] = ['#engines (1) > notes', '#engines (1) > cards'];
    const rowsOf = async (...words: readonly string[]): Promise<readonly string[]> => {
      const csv = await tool.must('audit', 'history', String(id), '--csv', ...words);
      return csv
        .trimEnd()
        .replaceAll(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,/gm, '')
        .split('\n');
    };
    expect(await rowsOf()).toEqual([
      'position,time,change,actor_id,client,place,content,what_happened',
      `sent,${ada.id},PalimpsestTests,${from},${text},"Ada Quill (${ada.id}) wrote to #engines (1) > “notes”: “=1+1, ""so""”."`,
      expect.stringMatching(/^moved,\d+,PalimpsestTests,#engines \(1\) > cards,,Owner \(\d+\) moved /),
    ]);
    expect(await rowsOf('--as', String(ben.id))).toEqual([
      'position,time,access,place,content,flags',
      `received,${from},${text},`,
      `received,${to},${text},`,
    ]);
    const { code, stderr } = await tool.run('audit', 'history', String(id), '--csv', '--json');
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Say either --csv or --json.\n' });
  });

  it('says that a message was never sent', async () => {
    const { code, stderr } = await tool.run('audit', 'history', '4711');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'No message 4711 was ever sent.\n' });
  });
});

describe('in a log that was damaged', () => {
  let directory: string;
  let damaged: CommandLine;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palimpsest-damaged-'));
    const environment = standIn<ServerStores>({ environment: {} });
    await beginLog(directory, environment);
    const { log, close } = await openStoppedServer(directory, {});
    const metadata = { actorId: 1, commandId: randomUUID(), causationId: null, client: 'test', at: 1e12 };
    const said = ['First.', 'Second.', 'Third.', 'Fourth.'].map((content) => ({
      type: MessageSent.type,
      data: { ...MessageSent.example, content },
    }));
    await log.append({ stream: 'messages', expected: 'any' }, said, metadata);
    await close();
    const events = new Database(join(directory, 'events.sqlite'));
    const first = `type = 'MessageSent' AND revision = 0`;
    for (const one of [`type = 'UserRegistered' ORDER BY position`, first]) {
      const [id, text] = events.prepare(`SELECT id, data FROM events WHERE ${one}`).raw().get() as string[];
      const data = JSON.parse(expand(text!, id!)) as { sealed: string };
      const sealed = Buffer.from(data.sealed, 'base64');
      sealed[20]! ^= 1;
      const spoiled = JSON.stringify({ ...data, sealed: sealed.toString('base64') });
      events.prepare('UPDATE events SET data = ? WHERE id = ?').run(spoiled, id);
    }
    const [cut, spoiled] = ['substr(data, 2)', `CAST(x'7b22ff227d' AS TEXT)`];
    events.exec(`UPDATE events SET data = ${cut} WHERE type = 'MessageSent' AND revision = 2`);
    events.exec(`UPDATE events SET data = ${spoiled} WHERE type = 'MessageSent' AND revision = 3`);
    events.close();
    damaged = new CommandLine({ DATA_DIR: directory });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('the log is shown all the same, with what cannot be read named in its place', async () => {
    const { code, stdout, stderr } = await damaged.run('audit', 'log');
    // Nothing is written to what is damaged: not even that somebody looked.
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^This access could not be recorded in the log: [^\n]+\n$/),
    });
    expect(stdout).toMatch(/^ +\d+ +users@\d+ +UserRegistered +[0-9a-f-]{36} +\(unreadable\) .+$/m);
    expect(stdout).toContain('Second.');
    for (const place of ['messages@2', 'messages@3'])
      expect(stdout).toMatch(
        new RegExp(`^ +\\d+ +${place} +MessageSent +.+ \\(unreadable\\) .+ it is damaged`, 'm'),
      );
    const { stdout: lines } = await damaged.run('audit', 'log', '--type', 'UserRegistered', '--json');
    const event = JSON.parse(lines.split('\n').find((line) => line.includes('unreadable'))!) as JsonLine;
    expect(Object.keys(event)).toEqual(expect.arrayContaining(['id', 'position', 'stream', 'unreadable']));
  });

  it('an export says which events no import will take', async () => {
    const { code, stdout, stderr } = await damaged.run('audit', 'export');
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('messages@3 is damaged'),
    });
    expect(stdout.trim().split('\n').length).toBeGreaterThan(10);
  });

  it('a message’s life is told, with people named by their ids', async () => {
    const { code, stdout } = await damaged.run('audit', 'history', '2');
    expect(code).toBe(0);
    expect(stdout).toContain('user 1 sent it to');
    const { code: amiss, stdout: first } = await damaged.run('audit', 'history', '1');
    expect(amiss).toBe(3);
    expect(first).toContain('did what cannot be read: MessageSent');
  });
});

describe('a log whose end is gone', () => {
  it('is found by the read models that have followed it further', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-shortened-'));
    const whole = await TestServer.start({
      directory,
      stores: standIn<ServerStores>({ environment: {} }),
    });
    await whole.stop();
    const shortened = new CommandLine({ DATA_DIR: directory });
    expect(await shortened.must('audit', 'verify')).toContain('Nothing is amiss.');
    const events = new Database(join(directory, 'events.sqlite'));
    events.exec('DELETE FROM events WHERE position > 3');
    events.close();
    const { code, stdout } = await shortened.run('audit', 'verify');
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringContaining('its last events are gone'),
    });
    await rm(directory, { recursive: true, force: true });
  });
});

describe('audit at', () => {
  const past = async (...words: string[]): Promise<JsonLine> =>
    JSON.parse(await tool.must('audit', 'at', ...words)) as JsonLine;

  it('answers as the API would have answered then', async () => {
    const positionOf = (content: string): string =>
      String(all.find(({ data }) => data.content === content)!['position']);
    const [sent, edited] = ['Note **G** is ready.', 'Note **G** is almost finished.'] as const;
    const narrow = `narrow=${json([{ operator: 'topic', operand: 'notes' }])}`;
    const page = ['anchor=newest', 'num_before=5', 'num_after=0', 'apply_markdown=false'];
    const newest = ['messages', ...page, narrow, '--as', String(ada.id)];
    expect((await past(positionOf(sent), ...newest))['messages']).toMatchObject([
      { id: messageId, content: sent },
    ]);
    expect((await past(positionOf(edited), ...newest))['messages']).toMatchObject([
      { id: messageId, content: edited },
      { id: otherId },
    ]);
  });

  it('answers as of a time, and as somebody', async () => {
    const [subscribed] = await tool.json('audit', 'log', '--channel', 'looms', '--type', 'UsersSubscribed');
    const justBefore = new Date(Number(subscribed!['metadata'].at) - 1).toISOString();
    const names = async (moment: string): Promise<string[]> => {
      const answer = await past(moment, 'users/me/subscriptions', '--as', 'ben.loom@example.com');
      return answer['subscriptions'].map(({ name }: JsonLine) => name).sort();
    };
    expect(await names(String(subscribed!['position']))).toContain('looms');
    expect(await names(justBefore)).not.toContain('looms');
  });

  it('tells what was set for a channel, and who somebody was', async () => {
    const looms = await owner.channelId('looms');
    const then = String(all.find(({ type }) => type === 'MessagesMoved')!['position']);
    await owner.must('patch', `streams/${looms}`, { new_name: 'power looms' });
    expect((await past(then, `streams/${looms}`))['stream'].name).toBe('looms');
    expect((await past(then, `users/${ada.id}`))['user'].full_name).toBe('Ada Quill');
    await owner.must('patch', `streams/${looms}`, { new_name: 'looms' });
  });

  it('refuses with the API’s own words, and with a sentence where there was nothing', async () => {
    const first = String(all[0]!['position']);
    const refused = await tool.run('audit', 'at', first, 'messages/1', '--as', String(ada.id));
    expect(refused).toMatchObject({
      code: 1,
      stderr: `Nobody had the id or the e-mail address "${ada.id}" then.\n`,
    });
    const missing = await tool.run('audit', 'at', '2999-01-01', 'messages/4711');
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stdout)).toMatchObject({ result: 'error', msg: 'Invalid message(s)' });
    const early = await tool.run('audit', 'at', '1999-01-01', 'users');
    expect(early).toMatchObject({ code: 1, stderr: 'There was nothing yet: the log begins later.\n' });
  });
});

describe('audit verify, seal and check', () => {
  const file = (name: string): string => join(server.directory, name);

  it('find no fault, and name the events that no seal covers yet', async () => {
    const output = await tool.must('audit', 'verify');
    expect(output).toMatch(
      /\d+ events, root [0-9a-f]{64}\nSeals: \d+; .* not sealed yet\nNothing is amiss\.\n$/,
    );
    const report = (await tool.json('audit', 'verify', '--no-keys'))[0]!;
    expect(report).toMatchObject({ findings: [] });
  });

  it('find the seals that the server appends', async () => {
    await eventually(
      async () => (await tool.json('audit', 'verify'))[0]!,
      ({ seals, sealed }) => seals > 0 && sealed > 0,
    );
    const seals = await tool.json('audit', 'log', '--type', 'LogSealed');
    expect(seals[0]).toMatchObject({ stream: 'seals', metadata: { actorId: null } });
  });

  it('vouch for the log: nothing before a statement can change without being noticed', async () => {
    await tool.must('audit', 'seal', '--out', file('first.json'), '--prove', String(messageId));
    await send('engines', 'Later.');
    await tool.must('audit', 'seal', '--out', file('second.json'), '--since', file('first.json'));
    const first = JSON.parse(await readFile(file('first.json'), 'utf8')) as JsonLine;
    expect(first['inclusions'].map(({ event }: JsonLine) => event.type)).toEqual(
      expect.arrayContaining(['MessageSent', 'MessageEdited', 'MessagesMoved', 'MessageDeleted']),
    );
    const verified = await tool.must(
      'audit',
      'verify',
      '--seal',
      file('first.json'),
      '--seal',
      file('second.json'),
    );
    expect(verified).toContain('it is the log that the statement vouches for');
    const words = ['audit', 'check', file('second.json'), '--earlier', file('first.json')];
    const { stdout } = await tool.run('audit', 'check', file('first.json'), '--json');
    const { signer } = JSON.parse(stdout) as { readonly signer: string };
    expect(await tool.must(...words, '--signer', signer)).toContain('Nothing is amiss.');
    const unproven = await tool.run('audit', 'check', file('first.json'));
    expect(unproven).toMatchObject({ code: 4, stdout: expect.stringContaining('Holds messages@') });
    expect(unproven.stdout).toContain('it was not said who must have signed it');
  });

  it('rely on no statement that was changed, or signed by somebody else', async () => {
    await tool.must('audit', 'seal', '--out', file('honest.json'));
    const forged = JSON.parse(await readFile(file('honest.json'), 'utf8')) as { claim: { size: number } };
    forged.claim.size -= 1;
    await writeFile(file('forged.json'), JSON.stringify(forged));
    expect(await tool.run('audit', 'check', file('forged.json'))).toMatchObject({ code: 3 });
    expect(await tool.run('audit', 'verify', '--seal', file('forged.json'))).toMatchObject({ code: 1 });
    const { code, stderr } = await tool.run(
      'audit',
      'verify',
      '--seal',
      file('honest.json'),
      '--signer',
      'SHA256:me',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('not by SHA256:me');
  });

  it('say so when another log is there than the statement is about', async () => {
    await tool.must('audit', 'seal', '--out', file('own.json'));
    const otherStores = await ServerStores.open();
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-other-log-'));
    try {
      await beginLog(directory, otherStores);
      const elsewhere = new CommandLine({ DATA_DIR: directory, ...otherStores.environment });
      const { code, stdout } = await elsewhere.run('audit', 'verify', '--seal', file('own.json'));
      expect(code).toBe(3);
      expect(stdout).toContain('STATEMENT');
      expect(await elsewhere.run('audit', 'seal', '--since', file('own.json'))).toMatchObject({ code: 1 });
    } finally {
      await otherStores.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe('the command line', () => {
  it('teaches what it can do', async () => {
    expect(await tool.must('--help')).toContain('audit');
    expect(await tool.must('audit', '--help')).toMatch(/log[\s\S]*history/);
    expect(await tool.must('audit', 'log', '--help')).toContain('Examples:');
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
    expect(await tool.must('--version')).toBe(`${version}\n`);
  });

  it('names a command that it does not know', async () => {
    const { code, stderr } = await tool.run('audit', 'lgo');
    expect(code).toBe(2);
    expect(stderr).toContain("unknown command 'lgo'");
  });
});
