import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let messageId: number;

beforeAll(async () => {
  server = await TestServer.start({ environment: { SEAL_EVERY_EVENTS: '5' } });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill');
  const subscriptions = JSON.stringify([{ name: 'engines' }]);
  await ada.client.must('post', 'users/me/subscriptions', { subscriptions });
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Ready.' };
  messageId = (await ada.client.must('post', 'messages', message))['id'] as number;
  await ada.client.must('patch', `messages/${messageId}`, { content: 'Almost ready.' });
}, 60_000);

afterAll(() => server.stop());

describe('GET audit/log', () => {
  it('is for owners', async () => {
    for (const path of ['audit/log', 'audit/projections', `audit/messages/${messageId}/history`]) {
      expect((await ada.client.get(path)).body).toMatchObject({ msg: 'Must be an organization owner' });
    }
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

describe('GET audit/messages/{message_id}/history', () => {
  it('tells the whole life of a message', async () => {
    const life = await owner.must('get', `audit/messages/${messageId}/history`);
    expect(life).toMatchObject({ message_id: messageId, sender_id: ada.id });
    expect(life['steps'].map(({ change }: { change: { kind: string } }) => change.kind)).toEqual([
      'sent',
      'edited',
    ]);
  });

  it('answers that there is no such message', async () => {
    expect((await owner.get('audit/messages/4711/history')).body).toMatchObject({
      msg: 'Invalid message(s)',
    });
  });
});

describe('GET audit/projections', () => {
  it('tells how every read model is doing', async () => {
    const { projections, dead_letters: letters, head } = await owner.must('get', 'audit/projections');
    expect(projections).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ projection: 'messages', state: 'live', lagEvents: 0 }),
      ]),
    );
    expect(letters).toEqual([]);
    expect(head).toBeGreaterThan(0);
  });
});

describe('the page /ops', () => {
  it('runs nothing but its own script', async () => {
    const page = await fetch(`${server.site}/ops`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const html = await page.text();
    expect(html).not.toMatch(/<script>|onclick=|style="/);
    for (const [, path] of html.matchAll(/(?:src|href)="(ops\/[^"]+)"/g)) {
      expect((await fetch(`${server.site}/${path}`)).status).toBe(200);
    }
  });

  const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
  const inBrowser = browser === undefined ? it.skip : it;

  inBrowser(
    'shows the read models and the log in a real browser (skipped without Chromium)',
    async () => {
      const { chromium } = await import('playwright-core');
      const launched = await chromium.launch({ executablePath: browser!, args: ['--no-sandbox'] });
      try {
        const page = await launched.newPage();
        const faults: string[] = [];
        page.on('pageerror', (error) => faults.push(error.message));
        page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
        await page.goto(`${server.site}/ops`);
        await page.fill('#email', owner.credentials!.email);
        await page.fill('#key', owner.credentials!.key);
        await page.click('button');
        await page.waitForSelector('[data-model="messages"] canvas');
        await page.waitForSelector('#events tr');
        expect(await page.textContent('[data-model="messages"] h3')).toContain('live');
        await page.fill('#slider', '1');
        await page.dispatchEvent('#slider', 'change');
        const { events } = await owner.must('get', 'audit/log', { after: 0, limit: 1 });
        await eventually(
          () => page.textContent('#events td'),
          (position) => position === String(events[0].position),
        );
        expect(faults.filter((fault) => !fault.includes('favicon'))).toEqual([]);
      } finally {
        await launched.close();
      }
    },
    60_000,
  );
});
