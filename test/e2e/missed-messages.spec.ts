import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Outbox } from '../support/outbox.js';
import { FakeRelay } from '../support/push-relay.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let relay: FakeRelay;
let stores: ServerStores;
let directory: string;
let environment: Record<string, string>;
let server: TestServer;
let outbox: Outbox;
let owner: ApiClient;
let ada: ApiClient;
let lab: number;

beforeAll(async () => {
  relay = await FakeRelay.start();
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-missed-'));
  environment = { PUSH_RELAY_URL: relay.url };
  server = await TestServer.start({ stores, directory, environment });
  outbox = new Outbox(directory);
  owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada'));
  lab = await ada.createChannel('lab');
});

afterAll(async () => {
  await server.stop();
  await relay.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

interface Person {
  readonly client: ApiClient;
  readonly id: number;
  readonly email: string;
}

/** Name of the setting of how many seconds after the first message somebody is written to. */
const batchingPeriod = 'email_notifications_batching_period_seconds';

/** For whom several messages are to be in one e-mail: see {@link writeSoon}. */
const inAnHour = { [batchingPeriod]: 3600 };

/** Somebody in the channel, who is written to a second after the first message unless they choose otherwise. */
async function person(name: string, settings: Record<string, unknown> = {}): Promise<Person> {
  const { client, id } = await server.createUser(owner, name);
  await client.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'lab' }] });
  await client.must('patch', 'settings', { [batchingPeriod]: 1, ...settings });
  return { client, id, email: `${name.toLowerCase()}@example.com` };
}

/** From now on they are written to a second after the next message, also about those before: however long these took to send. */
async function writeSoon({ client }: Person): Promise<void> {
  await client.must('patch', 'settings', { [batchingPeriod]: 1 });
}

/** A device of the person, as it reads what is sent to it. */
async function device({ client }: Person): Promise<() => Record<string, unknown>[]> {
  const { device_id } = await client.must('post', 'register_client_device');
  const key = randomBytes(32);
  await client.must('post', 'mobile_push/register', {
    device_id,
    token_kind: 'fcm',
    token_id: 'token',
    push_key_id: 1,
    push_key: key.toString('base64'),
    bouncer_public_key: 'key',
    encrypted_push_registration: 'sealed',
  });
  return () => relay.readBy(device_id as number, key);
}

function say(content: string, topic = 'engines'): Promise<number> {
  return ada.sendToChannel(lab, topic, content);
}

async function tell(to: number[], content: string): Promise<number> {
  return (await ada.must('post', 'messages', { type: 'direct', to, content }))['id'] as number;
}

/** Whoever is written to last was looked at after everyone before who is written to as soon. */
async function afterAnotherEmail(settings: Record<string, unknown> = {}): Promise<void> {
  const last = await person(`Last${randomBytes(4).toString('hex')}`, settings);
  await tell([last.id], 'the end');
  await outbox.emailTo(last.email);
}

const read = (client: ApiClient, messages: number[]): Promise<unknown> =>
  client.must('post', 'messages/flags', { messages, op: 'add', flag: 'read' });

describe('somebody who is away', () => {
  it('is written to once about what concerns them, all in one e-mail', async () => {
    const bo = await person('Bo', inAnHour);
    await tell([bo.id], 'Are you *there*?');
    await say('not for you in particular', 'elsewhere');
    await writeSoon(bo);
    await say(`Look, @**Bo|${bo.id}**!`);
    const { subject, text, html } = await outbox.emailTo(bo.email);
    expect(subject).toBe('2 unread messages in 2 conversations');
    expect(text).toContain('Direct messages with Ada\n\nAda, ');
    expect(text).toContain('    Are you there?');
    expect(html).toContain('>Are you there?</blockquote>');
    expect(text).toContain(`/#narrow/channel/${lab}-lab/topic/engines/near/`);
    expect(html).toMatch(/<a href="http[^"]+#narrow\/dm\/[\d,]+-dm\/near\/\d+">Open the conversation<\/a>/);
    expect(text).toContain(`You log in at ${server.site} with ${bo.email}.`);
    expect(text).toContain('#lab > engines');
    expect(text).not.toContain('not for you');
    await tell([bo.id], 'And now?');
    const next = await outbox.emailTo(bo.email, 2);
    expect(next.subject).toBe('Unread: Direct messages with Ada');
    expect(next.text).not.toContain('Are you');
  });

  it('is told what was said before they were mentioned, as far as they may see it', async () => {
    await ada.must('post', 'messages', {
      type: 'channel',
      to: lab,
      topic: 'context',
      content: 'another topic?',
    });
    const kept = await ada.createChannel('kept', { invite_only: true, history_public_to_subscribers: false });
    const speak = (to: number, content: string): Promise<unknown> =>
      ada.must('post', 'messages', { type: 'channel', to, topic: 'plans', content });
    for (let one = 1; one <= 7; one += 1) await speak(lab, `step number ${one}`);
    await speak(kept, 'before you came');
    const di = await person('Di', inAnHour);
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'kept' }],
      principals: [di.id],
    });
    await speak(kept, 'since you came');
    await speak(kept, `@**Di|${di.id}** in secret`);
    await writeSoon(di);
    await speak(lab, `@**Di|${di.id}** what *next*?`);
    const { subject, text, html } = await outbox.emailTo(di.email);
    // The third is that she was subscribed.
    expect(subject).toBe('3 unread messages in 3 conversations');
    for (const body of [String(text), String(html)]) {
      const said = body.match(/step number \d|@Di what next\?|@Di in secret|(?:before|since) you came/g);
      expect(said).toEqual([
        'since you came',
        '@Di in secret',
        ...[3, 4, 5, 6, 7].map((one) => `step number ${one}`),
        '@Di what next?',
      ]);
      expect(body).not.toContain('another topic?');
    }
  });

  it('gets no e-mail about messages that they read or sent, or that were deleted', async () => {
    // Time enough to read and to delete, also on a busy machine.
    const later = { [batchingPeriod]: 15 };
    const cy = await person('Cy', later);
    const readId = await tell([cy.id], 'read meanwhile');
    const deleted = await tell([cy.id], 'deleted meanwhile');
    await read(cy.client, [readId]);
    await ada.must('delete', `messages/${deleted}`);
    await afterAnotherEmail(later);
    expect(await outbox.to(cy.email)).toEqual([]);
    await writeSoon(cy);
    await tell([cy.id], 'left');
    expect((await outbox.emailTo(cy.email)).subject).toBe('Unread: Direct messages with Ada');
    expect((await outbox.emailTo(cy.email)).text).not.toContain('meanwhile');
    expect(await outbox.to('ada@example.com')).toEqual([]);
  });

  it('gets e-mails about followed topics and channels according to their settings', async () => {
    const dot = await person('Dot', { enable_offline_email_notifications: false });
    await dot.client.must('post', 'user_topics', { stream_id: lab, topic: 'followed', visibility_policy: 3 });
    const ed = await person('Ed', inAnHour);
    await ed.client.must('patch', `users/me/subscriptions/${lab}`, {
      property: 'email_notifications',
      value: true,
    });
    await ed.client.must('post', 'user_topics', { stream_id: lab, topic: 'muted', visibility_policy: 1 });
    await say('in muted', 'muted');
    await say(`@**Dot|${dot.id}**`, 'elsewhere');
    await tell([dot.id], 'direct');
    await writeSoon(ed);
    await say('in followed', 'followed');
    expect((await outbox.emailTo(dot.email)).subject).toBe('Unread: #lab > followed');
    const { text } = await outbox.emailTo(ed.email);
    expect(text).toContain('in followed');
    expect(text).not.toContain('in muted');
    await ed.client.must('patch', `users/me/subscriptions/${lab}`, {
      property: 'email_notifications',
      value: false,
    });
  });

  it('is shown no messages in e-mails if they, or the organization, want that', async () => {
    const flo = await person('Flo', { message_content_in_email_notifications: false });
    await tell([flo.id], 'a secret');
    const { text } = await outbox.emailTo(flo.email);
    expect(text).toContain('Direct messages with Ada');
    expect(text).not.toContain('a secret');
    await owner.must('patch', 'realm', { message_content_allowed_in_email_notifications: false });
    const kim = await person('Kim');
    await tell([kim.id], 'another secret');
    expect((await outbox.emailTo(kim.email)).text).not.toContain('another secret');
    await owner.must('patch', 'realm', { message_content_allowed_in_email_notifications: true });
  });

  it('gets one push notification at once, and none about messages that they read', async () => {
    const gus = await person('Gus', { enable_offline_email_notifications: false });
    const notifications = await device(gus);
    const id = await tell([gus.id], 'x'.repeat(300));
    await say('@**all** come', 'all hands');
    await say('nothing', 'all hands');
    const told = await eventually(
      async () => notifications(),
      (found) => found.length >= 2,
    );
    expect(told[0]).toEqual({
      type: 'message',
      realm_url: server.site,
      realm_name: 'Palimpsest',
      user_id: gus.id,
      message_id: id,
      trigger: 'direct_message',
      time: expect.any(Number),
      sender_id: expect.any(Number),
      sender_avatar_url: expect.stringMatching(/^https?:\/\//),
      sender_full_name: 'Ada',
      recipient_type: 'direct',
      recipient_user_ids: expect.arrayContaining([gus.id]),
      content: `${'x'.repeat(200)}…`,
    });
    expect(told[1]).toMatchObject({
      trigger: 'wildcard_mentioned',
      recipient_type: 'channel',
      channel_id: lab,
      channel_name: 'lab',
      topic: 'all hands',
    });
    expect(relay.requests.map(({ text }) => text).join('')).not.toContain('all hands');
    expect(notifications()).toHaveLength(2);
    await gus.client.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'read' });
    const [, , removal] = await eventually(
      async () => notifications(),
      (found) => found.length >= 3,
    );
    const about = { realm_url: server.site, realm_name: 'Palimpsest', user_id: gus.id };
    expect(removal).toEqual({ type: 'remove', ...about, message_ids: [id] });
    await gus.client.must('post', 'mark_all_as_read');
    const later = await eventually(
      async () => notifications(),
      (found) => found.length >= 4,
    );
    // What was taken back before may be so again, while a model learns of it.
    expect(later[3]?.['message_ids']).toContain(told[1]?.['message_id']);
  });

  it('is told once when the relay was away, the server killed, and both are back', async () => {
    const hal = await person('Hal');
    const notifications = await device(hal);
    const { port } = relay;
    await relay.stop();
    await tell([hal.id], 'while the relay is away');
    await eventually(
      async () => server.log.filter((line) => line.includes('push-missed-messages')),
      (lines) => lines.length > 0,
    );
    await server.kill();
    const seen = [...relay.requests];
    relay = await FakeRelay.start(port);
    relay.requests.push(...seen);
    server = await TestServer.start({ stores, directory, environment });
    owner = owner.at(server.site);
    ada = ada.at(server.site);
    await eventually(
      async () => notifications(),
      (found) => found.length > 0,
    );
    await outbox.emailTo(hal.email);
    await afterAnotherEmail();
    expect(notifications()).toHaveLength(1);
    expect(await outbox.to(hal.email)).toHaveLength(1);
    // On servers a process that was killed holds its leases for a while.
  });
});

describe('somebody who is here', () => {
  it('is not written to, and notified only if they want that too', async () => {
    const ivy = await person('Ivy');
    const jo = await person('Jo', { enable_online_push_notifications: false });
    const [wanted, unwanted] = [await device(ivy), await device(jo)];
    for (const { client } of [ivy, jo]) await client.must('post', 'users/me/presence', { status: 'active' });
    await tell([ivy.id, jo.id], 'both of you');
    await eventually(
      async () => wanted(),
      (found) => found.length === 1,
    );
    await afterAnotherEmail();
    expect(unwanted()).toEqual([]);
    expect(await outbox.to(ivy.email)).toEqual([]);
    expect(await outbox.to(jo.email)).toEqual([]);
  });
});
