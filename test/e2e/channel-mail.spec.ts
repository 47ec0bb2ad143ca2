import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { ApiClient as Client, type ApiClient, type Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;
let bo: ApiClient;
let lab: number;
let port: number;

beforeAll(async () => {
  const environment = { INBOUND_SMTP_PORT: '0', INBOUND_MAIL_DOMAIN: 'mail.engines.example' };
  server = await TestServer.start({ environment });
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo } = await server.createUser(owner, 'Bo'));
  lab = await ada.createChannel('lab', { invite_only: true });
  const line = await eventually(
    async () => server.log.find((one) => one.includes('"inboundMail"')),
    (found) => found !== undefined,
  );
  port = Number(/"inboundMail":"127\.0\.0\.1:(\d+)"/.exec(line!)![1]);
});

afterAll(async () => {
  await server.stop();
});

async function addressOf(client = ada, parameters = {}): Promise<string> {
  return (await client.must('get', `streams/${lab}/email_address`, parameters))['email'] as string;
}

/** Sends a mail as any mail program does, and answers the server's code where it refused. */
async function mail(to: string | string[], rest: SendMailOptions = {}): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    await transport.sendMail({ from: '"Cy_Borg" <cy@elsewhere.example>', to, text: 'Hello', ...rest });
    return 250;
  } catch (error) {
    return (error as { responseCode: number }).responseCode;
  } finally {
    transport.close();
  }
}

async function messages(topic: string): Promise<Reply[]> {
  const narrow = [
    ['channel', 'lab'],
    ['topic', topic],
  ];
  const page = { anchor: 'newest', num_before: 50, num_after: 0, narrow, apply_markdown: false };
  return (await ada.must('get', 'messages', page))['messages'] as Reply[];
}

describe('the address of a channel', () => {
  it('is the same for the same person and sender, and another for others', async () => {
    const address = await addressOf();
    expect(address).toMatch(/^channel-[\da-f-]{1,56}@mail\.engines\.example$/);
    expect(await addressOf()).toBe(address);
    const own = await addressOf(ada, { sender_id: adaId });
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'lab' }],
      principals: ['bo@example.com'],
    });
    const others = await addressOf(bo);
    expect(new Set([address, own, others]).size).toBe(3);
    await ada.must('patch', `streams/${lab}`, { new_name: 'laboratory' });
    expect(await addressOf()).toBe(address);
    await ada.must('patch', `streams/${lab}`, { new_name: 'lab' });
  });

  it('can be asked for in the name of the gateway before any mail has come, which is meant where nobody is named', async () => {
    const { cross_realm_bots: bots } = await ada.must('post', 'register', {
      fetch_event_types: ['realm_user'],
      event_types: ['realm_user'],
    });
    const gateway = (bots as Reply[]).find(({ email }) => email === 'emailgateway@zulip.com');
    expect(gateway).toMatchObject({ is_bot: true, is_system_bot: true });
    expect(await addressOf(ada, { sender_id: gateway!['user_id'] })).toBe(await addressOf());
  });

  it('is for those who may post, in their own name, in that of their bots and in that of the gateway', async () => {
    const { user_id: botId } = await ada.must('post', 'bots', { full_name: 'Ticker', short_name: 'tick' });
    await addressOf(ada, { sender_id: botId });
    const { client: cy, id: cyId } = await server.createUser(owner, 'Cy');
    const answers = await Promise.all([
      cy.get(`streams/${lab}/email_address`),
      ada.get('streams/99999/email_address'),
      ada.get(`streams/${lab}/email_address`, { sender_id: cyId }),
      ada.get(`streams/${lab}/email_address`, { sender_id: 99_999 }),
      bo.get(`streams/${lab}/email_address`, { sender_id: botId }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [400, 'BAD_REQUEST']),
    );
    expect(answers[0].body.msg).toBe(answers[1].body.msg);
    const announcements = { can_send_message_group: JSON.stringify({ new: 6 }) };
    await ada.must('patch', `streams/${lab}`, announcements);
    const denied = await bo.get(`streams/${lab}/email_address`);
    expect([denied.status, denied.body.code]).toEqual([400, 'BAD_REQUEST']);
    await ada.must('patch', `streams/${lab}`, { can_send_message_group: JSON.stringify({ new: 2 }) });
  });
});

describe('mail to the address of a channel', () => {
  it('becomes a message under its subject, in the name of the gateway', async () => {
    expect(await mail(await addressOf(), { subject: 'Grüße', text: 'Note *G* is **ready**.\n' })).toBe(250);
    const [message] = await messages('Grüße');
    expect(message).toMatchObject({
      sender_full_name: 'Email Gateway',
      sender_email: 'emailgateway@zulip.com',
      client: 'email_mirror',
      content: '**From:** Cy Borg <cy@elsewhere.example>\n\nNote *G* is **ready**.',
    });
    const explicit = await addressOf(ada, { sender_id: message!['sender_id'] });
    expect(explicit).toBe(await addressOf());
  });

  it('mentions nobody by the name of its sender', async () => {
    const header = `From: "@**all** \`x\`" <"@**all**"@elsewhere.example>\nSubject: forged\n\n`;
    await mail(await addressOf(), { raw: `${header}Hello\n` });
    const [message] = await messages('forged');
    expect(message?.['content']).toBe('**From:** @ all x <"@all"@elsewhere.example>\n\nHello');
  });

  it('is sent as the account that its address belongs to', async () => {
    await mail(await addressOf(ada, { sender_id: adaId }), { subject: 'own', text: 'It is me' });
    expect(await messages('own')).toEqual([
      expect.objectContaining({ sender_id: adaId, content: 'It is me' }),
    ]);
  });

  it('is sent as the text of its HTML if it has no plain text', async () => {
    const html = '<p>First</p><script>alert(1)</script><ul><li>one</li></ul>';
    await mail(await addressOf(ada, { sender_id: adaId }), { subject: 'html', text: '', html });
    const [message] = await messages('html');
    expect(message?.['content']).toContain('First');
    expect(message?.['content']).toContain('one');
    expect(message?.['content']).not.toMatch(/<p>|alert/);
  });

  it('has a topic that is cut like any other, and one where it has no subject', async () => {
    await mail(await addressOf(), { subject: 'x'.repeat(80) });
    expect(await messages(`${'x'.repeat(57)}...`)).toHaveLength(1);
    await mail(await addressOf(), { subject: ' ' });
    expect(await messages('Email with no subject')).toHaveLength(1);
  });

  it('is said once however often it is delivered, and however many of its addresses it names', async () => {
    const address = await addressOf();
    const rest = { subject: 'again', messageId: '<same@elsewhere.example>' };
    await mail([address, await addressOf(bo)], rest);
    await mail(address, rest);
    await mail(address, { ...rest, text: 'The same, with a footer.' });
    expect(await messages('again')).toHaveLength(1);
  });

  it('is refused for any other address, for a forged one, and when it is too large', async () => {
    const address = await addressOf();
    expect(await mail('ada@example.com')).toBe(550);
    expect(await mail(address.replace('mail.engines', 'other'))).toBe(550);
    const forged = address.replace(/channel-\d+/, `channel-${lab + 1}`);
    expect(await mail(forged)).toBe(550);
    expect(await mail(address, { subject: 'large', text: 'x'.repeat(6 * 1024 * 1024) })).toBe(552);
    expect(await messages('large')).toEqual([]);
  });

  it('is refused when reading it would take more than a mail is worth, and holds up no request', async () => {
    const address = await addressOf();
    const header = `From: cy@elsewhere.example\nTo: ${address}\nSubject: hostile\nContent-Type: text/plain\n\n`;
    const refused = mail(address, { raw: `${header}${'\n'.repeat(2_000_000)}x` });
    await ada.must('get', 'users/me');
    expect(await refused).toBe(554);
    expect(await mail(address, { subject: 'honest' })).toBe(250);
    expect(await messages('hostile')).toEqual([]);
  });

  it('is dropped when a program wrote it by itself', async () => {
    const headers = { 'Auto-Submitted': 'auto-replied' };
    expect(await mail(await addressOf(), { subject: 'away', headers })).toBe(250);
    expect(await messages('away')).toEqual([]);
  });

  it('is refused once the person who asked for the address may no longer post', async () => {
    const { client, id } = await server.createUser(owner, 'Brief');
    const principals = ['brief@example.com'];
    await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'lab' }], principals });
    const address = await addressOf(new Client(server.site, client.credentials));
    await owner.must('delete', `users/${id}`);
    expect(await mail(address, { subject: 'late' })).toBe(554);
    expect(await messages('late')).toEqual([]);
  });
});

describe('files that come with mail', () => {
  const note = { filename: '../notes/no[te] g.txt', content: 'Note G', contentType: 'text/plain' };
  const image = { filename: 'dot.png', content: 'png', contentType: 'image/png' };

  async function attachments(client: ApiClient): Promise<Reply[]> {
    return (await client.must('get', 'attachments'))['attachments'] as Reply[];
  }

  /** The addresses that a text links to on the server. */
  function addressesIn(content: unknown): readonly string[] {
    return [...String(content).matchAll(/\]\((\/user_uploads\/[^)]+)\)/g)].map(([, url = '']) => url);
  }

  it('become uploads that the message links to, readable by everyone who may see the message', async () => {
    await mail(await addressOf(ada, { sender_id: adaId }), { subject: 'files', attachments: [note, image] });
    const [message] = await messages('files');
    const [noteUrl = '', imageUrl = ''] = addressesIn(message?.['content']);
    expect(message?.['content']).toBe(`Hello\n\n[no te g.txt](${noteUrl})\n[dot.png](${imageUrl})`);
    expect(await attachments(ada)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'no[te] g.txt', message_ids: [message?.['id']] }),
        expect.objectContaining({ name: 'dot.png', size: 3 }),
      ]),
    );
    const served = await bo.fetch(noteUrl);
    expect([served.status, (await served.text()).trim()]).toEqual([200, 'Note G']);
    const { client: eve } = await server.createUser(owner, 'Eve');
    expect((await eve.fetch(noteUrl)).status).toBe(404);
  });

  it('are enough for a message, and belong to the gateway where it sends it', async () => {
    await mail(await addressOf(), { subject: 'only files', text: '', attachments: [note] });
    const [message] = await messages('only files');
    expect(message?.['content']).toMatch(
      /^\*\*From:\*\* Cy Borg <cy@elsewhere\.example>\n\n\[no te g\.txt\]\(/,
    );
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow: [['has', 'attachment']] };
    const found = (await ada.must('get', 'messages', page))['messages'] as Reply[];
    expect(found.map(({ id }) => id)).toContain(message?.['id']);
  });

  it('are named up to ten, and behind a text that is cut for them', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ ...note, filename: `${index}.txt` }));
    const own = await addressOf(ada, { sender_id: adaId });
    await mail(own, { subject: 'many', text: 'x'.repeat(10_000), attachments: many });
    const [message] = await messages('many');
    const content = String(message?.['content']);
    expect(content).toHaveLength(10_000);
    expect(content).toContain('x\n[message truncated]\n\n[0.txt](');
    expect(content.endsWith('*(2 more attached, and not kept)*')).toBe(true);
    expect(addressesIn(content)).toHaveLength(10);
  });

  it('are kept once, like the message, and not at all where that is refused', async () => {
    const own = await addressOf(ada, { sender_id: adaId });
    const rest = { subject: 'once', messageId: '<files@elsewhere.example>', attachments: [image] };
    const before = (await attachments(ada)).length;
    await mail(own, rest);
    await mail(own, rest);
    expect(await messages('once')).toHaveLength(1);
    expect(await attachments(ada)).toHaveLength(before + 1);
    await ada.must('patch', `streams/${lab}`, { topics_policy: 'disable_empty_topic' });
    expect(await mail(own, { subject: 'general chat', attachments: [image] })).toBe(554);
    await ada.must('patch', `streams/${lab}`, { topics_policy: 'inherit' });
    expect(await attachments(ada)).toHaveLength(before + 1);
  });
});
