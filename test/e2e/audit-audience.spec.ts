import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { CommandLine, type JsonLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let ben: { readonly id: number; readonly client: ApiClient };
let ownerId: number;
let channelId: number;
let messageId: number;
let sentAt: number;

const idsIn = ({ people }: Reply): readonly number[] => people.map(({ user_id: id }: Reply) => id as number);

async function headPosition(): Promise<number> {
  return (await owner.must('get', 'audit/projections'))['head'] as number;
}

beforeAll(async () => {
  server = await TestServer.start();
  tool = new CommandLine({ DATA_DIR: server.directory });
  owner = await server.owner();
  ownerId = (await owner.must('get', 'users/me'))['user_id'] as number;
  ada = await server.createUser(owner, 'Ada Quill');
  ben = await server.createUser(owner, 'Ben Loom');
  channelId = await owner.createChannel('secrets', { invite_only: true, principals: [ownerId, ada.id] });
  const message = { type: 'channel', to: 'secrets', topic: 'notes', content: 'Ready.' };
  messageId = (await owner.must('post', 'messages', message))['id'] as number;
  sentAt = await headPosition();
  await ada.client.must('post', 'messages/flags', { op: 'add', flag: 'read', messages: [messageId] });
  const subscriptions = [{ name: 'secrets' }];
  await owner.must('post', 'users/me/subscriptions', { subscriptions, principals: [ben.id] });
  await owner.must('patch', `users/${ada.id}`, { full_name: 'Ada Newname' });
});

afterAll(() => server.stop());

const path = (question: string): string => `audit/messages/${messageId}/${question}`;

describe('the audience of a message', () => {
  it('is whom its channel reached then, under their names of then', async () => {
    const then = await owner.must('get', path('who-could-see'), { at: sentAt });
    expect(then).toMatchObject({ message_id: messageId, count: 2, after: null, as_of: { position: sentAt } });
    expect(idsIn(then)).toEqual([ownerId, ada.id]);
    expect(then['people'][1]).toMatchObject({ full_name: 'Ada Quill', access: 'received', has_read: false });
    const now = await owner.must('get', path('who-could-see'));
    expect(idsIn(now)).toEqual([ownerId, ada.id]);
    expect(now['people'][1]).toMatchObject({ full_name: 'Ada Newname', has_read: true, is_sender: false });
    await owner.must('patch', `streams/${channelId}`, {
      is_private: true,
      history_public_to_subscribers: true,
    });
    const opened = await owner.must('get', path('who-could-see'));
    expect(idsIn(opened)).toEqual([ownerId, ada.id, ben.id]);
    expect(opened['people'][2]).toMatchObject({ access: 'historical', has_read: false });
  });

  it('is who has read it, without its sender', async () => {
    expect(idsIn(await owner.must('get', path('readers')))).toEqual([ada.id]);
    expect(idsIn(await owner.must('get', path('readers'), { at: sentAt }))).toEqual([]);
  });

  it('is told when each of them read it, since they last marked it as unread', async () => {
    const readingOf = async (id: number, at?: number): Promise<unknown> => {
      const reply = await owner.must('get', path('who-could-see'), at === undefined ? {} : { at });
      const { read_at, read_position } = reply['people'].find(({ user_id }: Reply) => user_id === id);
      return { read_at, read_position };
    };
    const marks = async (): Promise<readonly unknown[]> => {
      const asked = { message_id: messageId, type: 'MessagesMarkedRead' };
      const { events } = await owner.must('get', 'audit/log', asked);
      return (events as readonly Reply[]).map(({ position, metadata }) => ({
        read_at: metadata.at as number,
        read_position: position as number,
      }));
    };
    const never = { read_at: null, read_position: null };
    const [first] = await marks();
    expect(await readingOf(ada.id)).toEqual(first);
    expect(await readingOf(ada.id, sentAt)).toEqual(never);
    expect(await readingOf(ownerId)).toEqual(never);
    expect(await readingOf(ben.id)).toEqual(never);
    const mark = (op: string): Promise<unknown> =>
      ada.client.must('post', 'messages/flags', { op, flag: 'read', messages: [messageId] });
    await mark('remove');
    expect(await readingOf(ada.id)).toEqual(never);
    await mark('add');
    expect(await readingOf(ada.id)).toEqual((await marks())[1]);
  });

  it('is told when somebody starred it in a history, which counts as reading', async () => {
    await owner.createChannel('open');
    const message = { type: 'channel', to: 'open', topic: 'notes', content: 'For all.' };
    const { id } = await owner.must('post', 'messages', message);
    await ben.client.must('post', 'messages/flags', { op: 'add', flag: 'starred', messages: [id] });
    const asked = { message_id: id as number, type: 'MessagesStarred' };
    const [starred] = (await owner.must('get', 'audit/log', asked))['events'];
    expect(await owner.must('get', `audit/messages/${id as number}/readers`)).toMatchObject({
      people: [{ user_id: ben.id, read_at: starred.metadata.at, read_position: starred.position }],
    });
  });

  it('is told of the star and not of marking everything, which says nothing of what one did not have or had read', async () => {
    await owner.createChannel('ajar');
    const message = {
      type: 'channel',
      to: 'ajar',
      topic: 'notes',
      content: 'For all.',
      read_by_sender: true,
    };
    const { id } = await owner.must('post', 'messages', message);
    await ben.client.must('post', 'mark_all_as_read');
    await ben.client.must('post', 'messages/flags', { op: 'add', flag: 'starred', messages: [id] });
    await ben.client.must('post', 'mark_all_as_read');
    await owner.must('post', 'mark_all_as_read');
    const asked = { message_id: id as number, type: 'MessagesStarred' };
    const [starred] = (await owner.must('get', 'audit/log', asked))['events'];
    const audience = await owner.must('get', `audit/messages/${id as number}/who-could-see`);
    const readingOf = (person: number): unknown =>
      audience['people'].find(({ user_id }: Reply) => user_id === person);
    expect(readingOf(ben.id)).toMatchObject({
      has_read: true,
      read_at: starred.metadata.at,
      read_position: starred.position,
    });
    expect(readingOf(ownerId)).toMatchObject({ is_sender: true, read_at: null, read_position: null });
  });

  it('comes in pages', async () => {
    const first = await owner.must('get', path('who-could-see'), { limit: 1 });
    expect(first).toMatchObject({ count: 3, after: ownerId });
    expect(idsIn(first)).toEqual([ownerId]);
    const rest = await owner.must('get', path('who-could-see'), { after: first['after'] as number });
    expect(rest).toMatchObject({ count: 3, after: null });
    expect(idsIn(rest)).toEqual([ada.id, ben.id]);
    for (const limit of [0, 1001])
      expect((await owner.get(path('readers'), { limit })).body).toMatchObject({ result: 'error' });
  });

  it('is what the command line prints', async () => {
    for (const [question, moments] of [
      ['who-could-see', [sentAt, null]],
      ['readers', [sentAt, null]],
    ] as const) {
      for (const at of moments) {
        const lines = await tool.json(
          'audit',
          question,
          String(messageId),
          ...(at === null ? [] : ['--at', String(at)]),
        );
        const { people } = await owner.must('get', path(question), at === null ? {} : { at });
        expect(lines).toEqual(people);
      }
    }
  });

  it('is written for spreadsheets', async () => {
    const about = ['who-could-see', String(messageId), '--at', String(sentAt)];
    const { people } = await owner.must('get', path('who-could-see'), { at: sentAt });
    const rows = (people as readonly JsonLine[]).map((person) =>
      ['user_id', 'full_name', 'access', 'has_read', 'is_sender', 'marked_read']
        .map((name) => String(person[name]))
        .concat('', '')
        .join(','),
    );
    const { stdout } = await tool.run('audit', ...about, '--csv');
    const heading = 'user_id,full_name,access,has_read,is_sender,marked_read,read_at,read_position';
    expect(stdout).toBe([heading, ...rows, ''].join('\n'));
    const { people: readers } = await owner.must('get', path('readers'));
    const { read_at: readAt, read_position: readPosition } = readers[0];
    const printed = await tool.run('audit', 'readers', String(messageId), '--csv');
    const readOn = `${new Date(readAt as number).toISOString()},${String(readPosition)}`;
    expect(printed.stdout).toBe(`${heading}\n${ada.id},Ada Newname,received,true,false,false,${readOn}\n`);
    const { code, stderr } = await tool.run('audit', ...about, '--csv', '--json');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Say either --csv or --json.')]);
  });

  it('is for auditors, and each look is recorded before anything is seen', async () => {
    for (const question of ['who-could-see', 'readers']) {
      const asked = await ada.client.get(path(question));
      expect(asked.body).toMatchObject({ result: 'error', msg: 'Insufficient permission' });
    }
    const after = await headPosition();
    await owner.must('get', path('who-could-see'), { at: sentAt });
    await owner.must('get', path('readers'), { after: 3 });
    const { events } = await owner.must('get', 'audit/log', { type: 'LogAudited', after });
    const told = (events as readonly Reply[]).map(({ data, sentence }) => ({
      view: data['view'] as unknown,
      to: data['selection']['to'] as unknown,
      sentence: sentence as string,
    }));
    expect(told.slice(0, 2)).toEqual([
      {
        view: 'audience',
        to: { position: sentAt },
        sentence: expect.stringContaining('read who could see a message over HTTP (message '),
      },
      { view: 'readers', to: null, sentence: expect.stringContaining('read who has read a message') },
    ]);
  });

  it('is refused of a message that was not there, and as of what is no moment', async () => {
    const message = { type: 'channel', to: 'secrets', topic: 'notes', content: 'Taken back.' };
    const { id } = await owner.must('post', 'messages', message);
    const there = await headPosition();
    await owner.must('delete', `messages/${id as number}`);
    const ask = (parameters: object): Promise<{ readonly body: Reply }> =>
      owner.get(`audit/messages/${id as number}/who-could-see`, { ...parameters });
    expect((await ask({ at: there })).body).toMatchObject({ result: 'success', count: 3 });
    expect((await ask({})).body).toMatchObject({ msg: 'Invalid message(s)' });
    expect((await ask({ at: sentAt })).body).toMatchObject({ msg: 'Invalid message(s)' });
    expect((await ask({ at: 'yesterday' })).body).toMatchObject({ result: 'error' });
    const deletedAt = there + 1;
    for (const question of ['who-could-see', 'readers']) {
      const { code, stderr } = await tool.run('audit', question, String(id));
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          `Message ${id as number} was deleted at position ${deletedAt}: --at ${there} shows the last moment at which it was there.`,
        ),
      ]);
      await tool.must('audit', question, String(id), '--at', String(there));
    }
    const early = await tool.run('audit', 'readers', String(id), '--at', String(sentAt));
    expect(early.stderr).toContain(`There was no message ${id as number} then.`);
  });
});

describe('what the server marks as read for somebody', () => {
  const readingOf = ({ people }: Reply, userId: number): unknown => {
    const { has_read: hasRead, marked_read: markedRead } = people.find(
      ({ user_id: id }: Reply) => id === userId,
    );
    return { hasRead, markedRead };
  };
  const notRead = { hasRead: false, markedRead: true };

  async function sent(by: ApiClient, to: string): Promise<number> {
    const message = { type: 'channel', to, topic: 'x', content: 'Unopened.' };
    return (await by.must('post', 'messages', message))['id'] as number;
  }

  async function sentenceAbout(id: number): Promise<unknown> {
    const asked = { message_id: id, type: 'MessagesMarkedRead' };
    const { events } = await owner.must('get', 'audit/log', asked);
    return (events as readonly Reply[]).map(({ sentence }) => sentence as string);
  }

  it('was not read by those whom somebody unsubscribed, or who left', async () => {
    const eve = await server.createUser(owner, 'Eve Late');
    await ben.client.createChannel('pub', { principals: [ben.id, eve.id, ada.id] });
    const id = await sent(ben.client, 'pub');
    await ada.client.must('post', 'messages/flags', { op: 'add', flag: 'read', messages: [id] });
    await owner.must('delete', 'users/me/subscriptions', { subscriptions: '["pub"]', principals: [eve.id] });
    await ada.client.must('delete', 'users/me/subscriptions', { subscriptions: '["pub"]' });
    const audience = await eventually(
      () => owner.must('get', `audit/messages/${id}/who-could-see`),
      (reply) => (readingOf(reply, eve.id) as { markedRead: boolean }).markedRead,
    );
    expect(readingOf(audience, eve.id)).toEqual(notRead);
    expect(readingOf(audience, ada.id)).toEqual({ hasRead: true, markedRead: false });
    expect(idsIn(await owner.must('get', `audit/messages/${id}/readers`))).toEqual([ada.id]);
    expect(
      await eventually(
        () => sentenceAbout(id),
        (told) => (told as unknown[]).length === 2,
      ),
    ).toEqual([
      expect.stringMatching(/^Ada Newname \(\d+\) read what they had received/),
      expect.stringMatching(
        /^What Eve Late \(\d+\) had not read of the messages [\d to]+ was marked as read, because Owner \(3\) unsubscribed them from a channel\.$/,
      ),
    ]);
    const table = await tool.must('audit', 'who-could-see', String(id));
    expect(table).toMatch(/Eve Late +received it +marked as read/);
    expect(table).toMatch(/Ada Newname +received it +yes +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  });

  it('was not read by those who mute its sender, also if they mark everything as read later', async () => {
    const dan = await server.createUser(owner, 'Dan Quiet');
    await ben.client.createChannel('loud', { principals: [ben.id, dan.id] });
    const before = await sent(ben.client, 'loud');
    await dan.client.must('post', `users/me/muted_users/${ben.id}`);
    expect(
      await eventually(
        () => sentenceAbout(before),
        (told) => (told as unknown[]).length === 1,
      ),
    ).toEqual([
      expect.stringMatching(
        new RegExp(
          `^What Dan Quiet .* had not read of the messages .*${before} was marked as read, because they muted Ben Loom .${ben.id}.\\.$`,
        ),
      ),
    ]);
    const after = await sent(ben.client, 'loud');
    await dan.client.must('post', 'mark_all_as_read');
    for (const id of [before, after]) {
      expect(readingOf(await owner.must('get', `audit/messages/${id}/who-could-see`), dan.id)).toEqual(
        notRead,
      );
      expect(idsIn(await owner.must('get', `audit/messages/${id}/readers`))).toEqual([]);
    }
    for (const op of ['remove', 'add'])
      await dan.client.must('post', 'messages/flags', { op, flag: 'read', messages: [after] });
    expect(idsIn(await owner.must('get', `audit/messages/${after}/readers`))).toEqual([dan.id]);
  });

  it('was not read by those to whom a move brought it, though they marked everything as read', async () => {
    const fay = await server.createUser(owner, 'Fay Early');
    await ben.client.createChannel('closed', { principals: [ben.id, ownerId], invite_only: true });
    const target = await owner.createChannel('guarded', {
      principals: [ownerId, fay.id],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const id = await sent(ben.client, 'closed');
    await sent(owner, 'guarded');
    await fay.client.must('post', 'mark_all_as_read');
    await owner.must('patch', `messages/${id}`, { stream_id: target, propagate_mode: 'change_all' });
    const audience = await owner.must('get', `audit/messages/${id}/who-could-see`);
    expect(readingOf(audience, fay.id)).toEqual(notRead);
    await fay.client.must('post', 'mark_all_as_read');
    expect(idsIn(await owner.must('get', `audit/messages/${id}/readers`))).not.toContain(fay.id);
    for (const op of ['remove', 'add'])
      await fay.client.must('post', 'messages/flags', { op, flag: 'read', messages: [id] });
    expect(idsIn(await owner.must('get', `audit/messages/${id}/readers`))).toContain(fay.id);
  });
});
