import { userInfo } from 'node:os';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Outbox } from '../support/outbox.js';
import { openEmbeddedCredentialStore } from '../../src/stores/credential-store/embedded/embedded-credential-store.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { soon } from '../support/soon.js';

let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };

beforeAll(async () => {
  // Whether bytes are left in files can be seen of embedded stores alone.
  server = await TestServer.start({ stores: ServerStores.embedded() });
  tool = new CommandLine({ DATA_DIR: server.directory });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quillfeather');
  // Administrators may invite, and delete messages.
  await owner.must('patch', `users/${ada.id}`, { role: 200 });
  for (const client of [owner, ada.client]) {
    await client.must('post', 'users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name: 'engines' }]),
    });
  }
});

afterAll(() => server.stop());

async function send(client: ApiClient, content: string, more: object = {}): Promise<number> {
  const { id } = await client.must('post', 'messages', {
    type: 'channel',
    to: 'engines',
    topic: 'notes',
    content,
    ...more,
  });
  return id as number;
}

/** As it is kept. */
async function passwordHash(userId: number): Promise<string | null> {
  const store = openEmbeddedCredentialStore({ file: join(server.directory, 'credentials.sqlite') });
  const hash = await store.passwordHash(userId);
  await store.close();
  return hash;
}

/** Whether anything of a second factor is kept. */
async function hasSecondFactor(userId: number): Promise<boolean> {
  const store = openEmbeddedCredentialStore({ file: join(server.directory, 'credentials.sqlite') });
  const found = await store.secondFactors.find(userId);
  await store.close();
  return found !== null;
}

/** The files of the data directory that hold a text in the clear. */
async function filesWith(text: string): Promise<readonly string[]> {
  const entries = await readdir(server.directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    if ((await readFile(file)).includes(text)) found.push(entry.name);
  }
  return found;
}

/** Where a text can be read: files that hold it in the clear, and the log as auditors read it. */
async function traces(text: string): Promise<readonly string[]> {
  const log = await tool.must('audit', 'log', '--json');
  return [...(await filesWith(text)), ...(log.includes(text) ? ['the log'] : [])];
}

async function expectGone(text: string): Promise<void> {
  expect({ text, traces: await traces(text) }).toEqual({ text, traces: [] });
}

/** The newest message of the channel. */
async function lastMessage(): Promise<number> {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: '[["channel","engines"]]' };
  return (await owner.must('get', 'messages', page))['messages'][0].id as number;
}

async function contents(): Promise<readonly string[]> {
  const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false };
  return (await owner.must('get', 'messages', page))['messages'].map(
    ({ content }: { content: string }) => content,
  );
}

describe('deleting a message under the policy "keep"', () => {
  it('leaves it to auditors, as is the default', async () => {
    const id = await send(ada.client, 'A keepworthy sentence.');
    await owner.must('delete', `messages/${id}`);
    expect(await tool.must('audit', 'history', String(id))).toContain('A keepworthy sentence.');
  });
});

describe('deleting a message under the policy "erase"', () => {
  it('is an owner’s to set', async () => {
    expect((await ada.client.patch('realm', { message_erasure_policy: 'erase' })).status).toBe(400);
    await owner.must('patch', 'realm', { message_erasure_policy: 'erase' });
  });

  it('makes it unreadable everywhere, and the log still verifies', async () => {
    const secret = 'Zanzibarxylophone';
    const id = await send(ada.client, `The password is ${secret}.`);
    await ada.client.must('patch', `messages/${id}`, { content: `The password was ${secret} once.` });
    const other = await send(ada.client, 'Something harmless.');
    const { queue_id: queue } = await owner.must('post', 'register', { event_types: '["message"]' });
    const queued = await send(ada.client, `Queued: ${secret}.`);
    await tool.must('projections', 'rebuild', 'messages');
    expect((await filesWith(secret)).length).toBeGreaterThan(0);
    for (const one of [id, queued]) await owner.must('delete', `messages/${one}`);
    expect(await filesWith(secret)).toEqual([]);
    expect(await tool.must('audit', 'history', String(id))).toContain('(erased)');
    expect(await tool.must('audit', 'log')).not.toContain(secret);
    const polled = await owner.must('get', 'events', {
      queue_id: queue,
      last_event_id: -1,
      dont_block: true,
    });
    expect(JSON.stringify(polled)).not.toContain(secret);
    expect(await contents()).toContain('Something harmless.');
    expect(other).toBeGreaterThan(id);
    const erased = await tool.json('audit', 'log', '--type', 'MessageErased');
    expect(erased.map(({ data }) => data.messageId)).toEqual([id, queued]);
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
    expect(await tool.run('projections', 'verify', 'messages')).toMatchObject({ code: 0 });
  });
});

describe('the copies and relatives of an erased message', () => {
  const inTenMinutes = (): number => Math.ceil(Date.now() / 1000) + 600;

  it('are erased with it: its scheduled versions', async () => {
    const secret = 'Nebuchadnezzarkumquat';
    const { scheduled_message_id: plan } = await ada.client.must('post', 'scheduled_messages', {
      type: 'channel',
      to: await owner.channelId('engines'),
      topic: 'notes',
      content: `Planned: ${secret}`,
      scheduled_delivery_timestamp: inTenMinutes(),
    });
    await soon((scheduled_delivery_timestamp) =>
      ada.client.patch(`scheduled_messages/${plan}`, {
        content: `Replanned: ${secret}`,
        scheduled_delivery_timestamp,
      }),
    );
    await eventually(contents, (said) => said.includes(`Replanned: ${secret}`));
    await owner.must('delete', `messages/${await lastMessage()}`);
    await expectGone(secret);
  });

  it('are erased with it: reminders, sent or pending', async () => {
    const secret = 'Popocatepetlrhubarb';
    const id = await send(ada.client, `Remember ${secret}`);
    const remind = (due: number): Promise<Answer> =>
      owner.post('reminders', { message_id: id, scheduled_delivery_timestamp: due });
    await soon(remind);
    expect((await remind(inTenMinutes())).status).toBe(200);
    const reminded = async (): Promise<string> => {
      const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow: '[["is","dm"]]' };
      return JSON.stringify((await owner.must('get', 'messages', page))['messages']);
    };
    await eventually(reminded, (said) => said.includes(secret));
    await owner.must('delete', `messages/${id}`);
    await eventually(reminded, (said) => !said.includes(secret));
    expect((await owner.must('get', 'reminders'))['reminders']).toEqual([]);
    await eventually(
      () => traces(secret),
      (found) => found.length === 0,
    );
  });

  it('are erased with it: submessages, also in event queues', async () => {
    const secret = 'Titicacagooseberry';
    const id = await send(ada.client, '/poll Where to?');
    const { queue_id } = await owner.must('post', 'register', { event_types: '["submessage"]' });
    const content = JSON.stringify({ type: 'new_option', idx: 1, option: secret });
    await ada.client.must('post', 'submessage', { message_id: id, msg_type: 'widget', content });
    await owner.must('delete', `messages/${id}`);
    const events = await owner.must('get', 'events', { queue_id, last_event_id: -1, dont_block: true });
    expect(JSON.stringify(events)).not.toContain(secret);
    await expectGone(secret);
  });

  it('are erased with it: the labels of buttons below it', async () => {
    const secret = 'Ouagadougoumedlar';
    const choices = [{ short_name: 'A', long_name: secret, reply: secret }];
    const extra_data = { type: 'choices', heading: secret, choices };
    const form = { widget_type: 'zform', extra_data };
    const id = await send(ada.client, 'Where to?', { widget_content: form });
    await owner.must('delete', `messages/${id}`);
    await expectGone(secret);
  });

  it('are erased when their writer deletes them: drafts that were never sent', async () => {
    const secret = 'Antananarivotamarind';
    const draft = { type: 'private', to: [ada.id], topic: '', content: secret, timestamp: 1 };
    const { ids } = await ada.client.must('post', 'drafts', { drafts: JSON.stringify([draft, draft]) });
    const [first, second] = ids as number[];
    await ada.client.must('patch', `drafts/${first}`, {
      draft: JSON.stringify({ ...draft, content: `More of ${secret}` }),
    });
    await ada.client.must('delete', `drafts/${first}`);
    expect(await traces(secret)).not.toEqual([]);
    await ada.client.must('patch', 'settings', { enable_drafts_synchronization: false });
    const snippet = await ada.client.must('post', 'saved_snippets', { title: secret, content: secret });
    await ada.client.must('delete', `saved_snippets/${snippet['saved_snippet_id']}`);
    const file = await ada.client.upload('user_uploads', new File(['Bytes.'], `${secret}.txt`));
    const { attachments } = await ada.client.must('get', 'attachments');
    const { id } = attachments.find(({ name }: { name: string }) => name.includes(secret));
    await ada.client.must('delete', `attachments/${id}`);
    expect((await ada.client.fetch(file.body['url'] as string)).status).toBe(404);
    await eventually(
      () => traces(secret),
      (found) => found.length === 0,
    );
    await ada.client.must('patch', 'settings', { enable_drafts_synchronization: true });
    expect(second).toBeGreaterThan(first!);
  });

  it('are erased with it: e-mails in the outbox', async () => {
    const secret = 'Kilimanjaropersimmon';
    const { client: bo, id: boId } = await server.createUser(owner, 'Bo');
    await bo.must('patch', 'settings', { email_notifications_batching_period_seconds: 1 });
    const told = async (content: string): Promise<number> =>
      (await ada.client.must('post', 'messages', { type: 'direct', to: [boId], content }))['id'] as number;
    const id = await told(`Missed: ${secret}`);
    const outbox = new Outbox(server.directory);
    expect((await outbox.emailTo('bo@example.com')).text).toContain(secret);
    await told('Of no weight.');
    await outbox.emailTo('bo@example.com', 2);
    await ada.client.must('delete', `messages/${id}`);
    await expectGone(secret);
    expect(await outbox.to('bo@example.com')).toHaveLength(1);
  });

  it('are erased with it: files that no other message refers to', async () => {
    const attach = async (name: string): Promise<string> => {
      const { body } = await ada.client.upload('user_uploads', new File(['Bytes.'], name));
      return body['url'] as string;
    };
    const [mine, shared] = [await attach('Ouagadougoufig.txt'), await attach('shared.txt')];
    const id = await send(ada.client, `[one](${mine}) [other](${shared})`);
    await send(ada.client, `[again](${shared})`);
    const files = async (): Promise<number> =>
      (await readdir(join(server.directory, 'files'), { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile(),
      ).length;
    const before = await files();
    await owner.must('delete', `messages/${id}`);
    expect((await ada.client.fetch(mine)).status).toBe(404);
    expect((await ada.client.fetch(shared)).status).toBe(200);
    await eventually(files, (count) => count === before - 1);
    await expectGone('Ouagadougoufig');
    expect(await tool.must('audit', 'log', '--type', 'FileUploaded')).toContain('shared.txt');
  });
});

/** Leaves a text of a person's in every place that people write in. */
async function belongTo(client: ApiClient, text: string): Promise<void> {
  // The notification bot says who made a channel, and who named it otherwise.
  const channelId = await client.createChannel('quills');
  await client.must('patch', `streams/${channelId}`, { new_name: 'feathers' });
  const draft = { type: 'stream', to: [channelId], topic: 'ink', content: text, timestamp: 1 };
  await client.must('post', 'drafts', { drafts: JSON.stringify([draft]) });
  await client.must('post', 'saved_snippets', { title: text, content: text });
  await client.must('post', 'users/me/status', { status_text: text });
  await client.must('post', 'users/me/alert_words', { alert_words: JSON.stringify([text]) });
  await client.must('post', 'scheduled_messages', {
    type: 'channel',
    to: channelId,
    topic: 'ink',
    content: text,
    scheduled_delivery_timestamp: Math.ceil(Date.now() / 1000) + 600,
  });
  expect((await client.upload('user_uploads', new File([text], `${text}.txt`))).status).toBe(200);
  await client.must('post', 'invites', {
    invitee_emails: `${text}@example.com`,
    invite_expires_in_minutes: 60,
    stream_ids: JSON.stringify([channelId]),
    welcome_message_custom_text: text,
  });
  await new Outbox(server.directory).emailTo(`${text}@example.com`);
}

describe('palimpsest owner erase-person', () => {
  it('refuses nobody, and an account that is active', async () => {
    const nobody = await tool.run('owner', 'erase-person', 'nobody@example.com', '--yes');
    expect(nobody).toMatchObject({
      code: 1,
      stderr: 'Nobody has the id or the e-mail address "nobody@example.com".\n',
    });
    const active = await tool.run('owner', 'erase-person', String(ada.id), '--yes');
    expect(active).toMatchObject({ code: 1, stderr: 'The account is active: deactivate it first.\n' });
  });

  it('makes the person’s data and texts unreadable everywhere, and the log can still be verified', async () => {
    const secret = 'Yggdrasilmarmalade';
    const said = await send(ada.client, `I once wrote ${secret}.`);
    const later = Math.ceil(Date.now() / 1000) + 600;
    await owner.must('post', 'reminders', { message_id: said, scheduled_delivery_timestamp: later });
    await belongTo(ada.client, secret);
    expect(await filesWith('Quillfeather')).not.toEqual([]);
    expect(await passwordHash(ada.id)).not.toBeNull();
    await ada.client.must('post', 'users/me/second_factor', { password: 'secret-of-Ada Quillfeather' });
    expect(await hasSecondFactor(ada.id)).toBe(true);
    await owner.must('delete', `users/${ada.id}`);
    await tool.must('owner', 'erase-person', 'ada.quillfeather@example.com', '--yes');
    for (const text of [secret, 'Quillfeather', 'ada.quillfeather@example.com']) await expectGone(text);
    expect(await passwordHash(ada.id)).toBeNull();
    expect(await hasSecondFactor(ada.id)).toBe(false);
    const [wanted] = await tool.json('audit', 'log', '--type', 'PersonErasureRequested');
    expect(wanted).toMatchObject({ data: { userId: ada.id, operator: userInfo().username } });
    const { user } = await owner.must('get', `users/${ada.id}`);
    expect(user).toMatchObject({ full_name: 'Deleted user', is_deleted: true, is_active: false });
    const { realm_non_active_users: others } = await owner.must('post', 'register', {
      fetch_event_types: '["realm_user"]',
    });
    expect(others).toContainEqual(expect.objectContaining({ user_id: ada.id, full_name: 'Deleted user' }));
    expect(JSON.stringify(others)).not.toContain('Quillfeather');
    expect(await contents()).toContain('(erased)');
    expect(JSON.stringify(await contents())).not.toContain(secret);
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
    expect(await tool.run('projections', 'verify')).toMatchObject({ code: 0 });
  });

  it('makes look-ups of their address find nobody', async () => {
    const address = 'ada.quillfeather@example.com';
    const nobody = `Nobody has the id or the e-mail address "${address}".\n`;
    for (const words of [
      ['audit', 'person', address],
      ['audit', 'log', '--actor', address],
      ['audit', 'log', '--about', address],
      ['audit', 'history', '1', '--as', address],
    ])
      expect(await tool.run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(nobody) });
    const then = await tool.run('audit', 'at', '2999-01-01', 'users/me', '--as', address);
    expect(then).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody had the id or') });
    expect(await tool.must('audit', 'person', String(ada.id))).toContain('PersonErased');
    for (const [path, parameters] of [
      ['audit/log', { actor: address }],
      ['audit/log', { about: address }],
      ['audit/messages/1/history', { as: address }],
      [`users/${address}`, {}],
    ] as const) {
      const stranger = JSON.parse(
        JSON.stringify(parameters).replaceAll(address, 'nobody@example.com'),
      ) as Readonly<Record<string, string>>;
      const strange = await owner.get(path.replace(address, 'nobody@example.com'), stranger);
      const asked = await owner.get(path, { ...parameters });
      expect([asked.status, asked.body['msg']]).toEqual([strange.status, strange.body['msg']]);
      expect(asked.body).toMatchObject({ result: 'error' });
    }
    expect(
      (await owner.post('users', { email: address, password: 'a-long-secret-of-nobody', full_name: 'Ada' }))
        .body,
    ).toMatchObject({ result: 'error', msg: 'Email is already in use' });
  });
});
