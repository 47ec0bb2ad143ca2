import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { Outbox } from '../support/outbox.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let stores: ServerStores;
let directory: string;
let server: TestServer;
let outbox: Outbox;
let owner: ApiClient;
let ada: ApiClient;
let lab: number;

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-unsubscribing-'));
  server = await TestServer.start({ stores, directory });
  outbox = new Outbox(directory);
  owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada'));
  lab = await ada.createChannel('lab');
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

interface Person {
  readonly client: ApiClient;
  readonly id: number;
  readonly email: string;
}

async function person(name: string): Promise<Person> {
  const { client, id } = await server.createUser(owner, name);
  await client.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'lab' }] });
  await client.must('patch', 'settings', { email_notifications_batching_period_seconds: 1 });
  return { client, id, email: `${name.toLowerCase()}@example.com` };
}

function tell({ id }: Person, content = 'Are you there?'): Promise<unknown> {
  return ada.must('post', 'messages', { type: 'direct', to: [id], content });
}

/** Where the nth e-mail to somebody says that e-mails are ended. */
async function unsubscribeUrl({ email }: Person, count = 1): Promise<string> {
  const { headers, text } = await outbox.emailTo(email, count);
  const field = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const url = /^<(.+)>$/.exec(field)?.[1] ?? '';
  expect(text).toContain(url);
  return url;
}

/** What a mail program posts (RFC 8058, section 3.1). */
function oneClick(url: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
}

async function settingsOf({ client }: Person): Promise<Record<string, unknown>> {
  const { user_settings } = await client.must('post', 'register', {
    fetch_event_types: ['user_settings'],
    client_capabilities: { user_settings_object: true },
  });
  return user_settings as Record<string, unknown>;
}

describe('a link of an e-mail about unread messages', () => {
  it('opens a page with a button; a POST request ends the e-mails of that kind', async () => {
    const bo = await person('Bo');
    await tell(bo);
    const url = await unsubscribeUrl(bo);
    const before = await settingsOf(bo);
    const page = await fetch(url);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('no more e-mails about direct messages and mentions');
    expect(html).toContain(`<form method="post" action="${new URL(url).pathname}">`);
    expect(await settingsOf(bo)).toEqual(before);
    const done = await oneClick(url);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')]);
    expect(await settingsOf(bo)).toEqual({ ...before, enable_offline_email_notifications: false });
    expect((await oneClick(url)).status).toBe(200);
    expect(await settingsOf(bo)).toEqual({ ...before, enable_offline_email_notifications: false });
  });

  it('takes the body of a mail program in either encoding', async () => {
    const cy = await person('Cy');
    await tell(cy);
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    expect((await fetch(await unsubscribeUrl(cy), { method: 'POST', body })).status).toBe(200);
    expect(await settingsOf(cy)).toMatchObject({ enable_offline_email_notifications: false });
  });

  it('ends what is set for one channel where that is why the e-mail came', async () => {
    const di = await person('Di');
    const set = (value: boolean): Promise<unknown> =>
      di.client.must('patch', `users/me/subscriptions/${lab}`, { property: 'email_notifications', value });
    await set(true);
    await ada.sendToChannel(lab, 'engines', 'to all who listen');
    const url = await unsubscribeUrl(di);
    expect(await (await fetch(url)).text()).toContain('no more e-mails about messages in #lab');
    const before = await settingsOf(di);
    expect((await oneClick(url)).status).toBe(200);
    const { subscriptions } = await di.client.must('get', 'users/me/subscriptions');
    expect(subscriptions).toContainEqual(
      expect.objectContaining({ stream_id: lab, email_notifications: false }),
    );
    expect(await settingsOf(di)).toEqual(before);
    await di.client.must('delete', 'users/me/subscriptions', { subscriptions: ['lab'] });
    expect((await oneClick(url)).status).toBe(200);
  });

  it('ends e-mails about channels, and about followed topics, each by its own setting', async () => {
    const ed = await person('Ed');
    await ed.client.must('patch', 'settings', { enable_stream_email_notifications: true });
    await ada.sendToChannel(lab, 'engines', 'to all who listen');
    expect((await oneClick(await unsubscribeUrl(ed))).status).toBe(200);
    await ed.client.must('post', 'user_topics', { stream_id: lab, topic: 'followed', visibility_policy: 3 });
    await ada.sendToChannel(lab, 'followed', 'to all who follow');
    expect((await oneClick(await unsubscribeUrl(ed, 2))).status).toBe(200);
    expect(await settingsOf(ed)).toMatchObject({
      enable_stream_email_notifications: false,
      enable_followed_topic_email_notifications: false,
      enable_offline_email_notifications: true,
    });
  });

  it('is refused when it was changed, was made for another purpose, or its account has another address', async () => {
    const flo = await person('Flo');
    await tell(flo);
    const url = await unsubscribeUrl(flo);
    const [name = '', digest = ''] = url.slice(url.lastIndexOf('/') + 1).split('.');
    const text = Buffer.from(name, 'base64url').toString();
    const forged = text.replace('enable_offline', 'enable_stream');
    const base = url.slice(0, url.lastIndexOf('/'));
    const tampered = [
      `${base}/${Buffer.from(forged).toString('base64url')}.${digest}`,
      `${base}/${name}.${digest.slice(0, -1)}`,
      `${base}/${name}`,
      `${base}/nothing`,
    ];
    for (const link of tampered) {
      expect([(await fetch(link)).status, (await oneClick(link)).status]).toEqual([400, 400]);
    }
    const reset = url.replace('accounts/unsubscribe', 'accounts/password/reset');
    expect(await (await fetch(reset)).text()).toContain('This link does not work');
    await owner.must('patch', `users/${flo.id}`, { new_email: 'flo.b@example.com' });
    expect((await oneClick(url)).status).toBe(400);
    const client = new ApiClient(server.site, { ...flo.client.credentials!, email: 'flo.b@example.com' });
    expect(await settingsOf({ ...flo, client })).toMatchObject({ enable_offline_email_notifications: true });
  });

  it('is refused once the account is deactivated, and stands in no log', async () => {
    const gus = await person('Gus');
    await tell(gus);
    const url = await unsubscribeUrl(gus);
    await owner.must('delete', `users/${gus.id}`);
    expect((await oneClick(url)).status).toBe(400);
    const token = url.slice(url.lastIndexOf('/') + 1);
    expect(server.log.filter((line) => line.includes(token))).toEqual([]);
  });
});
