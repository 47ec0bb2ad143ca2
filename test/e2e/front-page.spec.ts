import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let stores: ServerStores;
let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  stores = await ServerStores.open();
  server = await TestServer.start({ stores });
  owner = await server.owner();
});

afterAll(async () => {
  await server.stop();
  await stores.close();
});

const password = 'mauve loom 1843';

function logIn(form: Record<string, string>): Promise<Response> {
  return fetch(`${server.site}/credentials`, { method: 'POST', body: new URLSearchParams(form) });
}

describe('The front page', () => {
  it('says what this is, which organization, how to connect and where to go on', async () => {
    await owner.must('patch', 'realm', { name: 'Engines & Co', description: 'We **build**.' });
    const reply = await fetch(server.site);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await reply.text();
    expect(html).toContain('<h1>Engines &#38; Co</h1>');
    expect(html).toContain('We <strong>build</strong>.');
    for (const part of [`<code>${server.site}</code>`, 'zulip-term', 'zulip-send', '/api/v1/users/me'])
      expect(html).toContain(part);
    for (const [, path] of html.matchAll(/href="(\/[^"]*)"/g))
      expect((await fetch(`${server.site}${path}`)).status).toBe(200);
  });

  it('runs nothing, loads nothing, and has no style but its own', async () => {
    const reply = await fetch(server.site);
    const policy = reply.headers.get('content-security-policy')!;
    expect(policy).not.toContain('unsafe');
    const [, style] = /<style>([^]*)<\/style>/.exec(await reply.text())!;
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
  });

  it('shows hostile names as text', async () => {
    await owner.must('patch', 'realm', { name: '"><script>alert(1)</script>' });
    const html = await (await fetch(server.site)).text();
    expect(html).not.toContain('<script');
    expect(html).toContain('alert(1)');
  });

  it('gives whoever knows a password a credentials file that works', async () => {
    const email = 'ada@example.com';
    await owner.must('post', 'users', { email, password, full_name: 'Ada' });
    const reply = await logIn({ username: email, password });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="zuliprc"');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const text = await reply.text();
    const [, key] = /^\[api\]\nemail=ada@example\.com\nkey=(\w{32})\nsite=http:.*\n$/.exec(text)!;
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const own = await fetch(`${server.site}/api/v1/users/me`, { headers: { authorization } });
    expect(await own.json()).toMatchObject({ full_name: 'Ada' });
  });

  it('says above the form what is wrong, alike for an unknown address, and keeps what was typed', async () => {
    const email = 'bob"<b>@example.com';
    const replies = await Promise.all(
      [email, 'ada@example.com'].map((username) => logIn({ username, password: 'wrong' })),
    );
    const pages = await Promise.all(replies.map((reply) => reply.text()));
    const alerts = pages.map((html) => /<p role="alert">(.*)<\/p>/.exec(html)?.[1]);
    expect(alerts[0]).toBeTruthy();
    expect(alerts[1]).toBe(alerts[0]);
    expect(pages[0]).toContain('value="bob&#34;&#60;b&#62;@example.com"');
    expect(pages[0]).not.toContain('wrong');
  });
});
