import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { OutgoingEmail } from '../../src/contexts/mail/email.js';
import type { MailNotSentError, MailTransport } from '../../src/contexts/mail/mail-transport.js';
import { OutboxTransport } from '../../src/contexts/mail/outbox-transport.js';
import { SmtpTransport } from '../../src/contexts/mail/smtp-transport.js';
import { MailServer } from '../support/mail-server.js';

const outgoing: OutgoingEmail = {
  id: '0b1c6a52-6f0c-5c9e-9d0e-7f2b6e1d4a11',
  from: '"Käthe & Co" <noreply@chat.example.com>',
  to: 'ada@example.com',
  subject: 'Überall: 🎉 you are invited',
  text: 'Grüße,\n.\nhttps://chat.example.com/join/abc\n',
  html: '<p>Grüße,</p>\n.\n--\n<a href="https://chat.example.com/join/abc">Join</a>\n',
  date: Date.UTC(2026, 0, 1, 12, 30, 5),
  about: ['user:3', 'message:41'],
};

let directory: string;
let server: MailServer;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-mail-'));
  server = await MailServer.start();
});

afterEach(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const outbox = (): string => join(directory, 'outbox');

async function files(): Promise<string[]> {
  return (await readdir(outbox())).sort();
}

const transports: readonly [string, () => MailTransport, () => Promise<Email[]>][] = [
  [
    'SMTP',
    () => new SmtpTransport(server.url),
    () => Promise.resolve(server.received.map(({ email }) => email)),
  ],
  [
    'the outbox',
    () => new OutboxTransport(outbox()),
    async () =>
      Promise.all(
        (await files()).map(async (file) => PostalMime.parse(await readFile(join(outbox(), file)))),
      ),
  ],
];

describe.each(transports)('an e-mail sent by %s', (_name, open, arrived) => {
  let transport: MailTransport;

  beforeEach(() => {
    transport = open();
  });

  afterEach(() => transport.close());

  it('arrives unchanged', async () => {
    await transport.send(outgoing);
    const [email] = await arrived();
    expect(email).toMatchObject({
      from: { name: 'Käthe & Co', address: 'noreply@chat.example.com' },
      to: [{ address: 'ada@example.com' }],
      subject: outgoing.subject,
      messageId: `<${outgoing.id}@chat.example.com>`,
    });
    // What ends a part is the next part's: a line more or less says nothing.
    expect(email?.text?.trimEnd()).toBe(outgoing.text.trimEnd());
    expect(email?.html?.trimEnd()).toBe(outgoing.html.trimEnd());
    expect(Date.parse(email?.date ?? '')).toBe(outgoing.date);
  });

  it('cannot get further headers or recipients from its content', async () => {
    await transport.send({ ...outgoing, subject: 'Hello\r\nBcc: eve@example.com\n\nbody' });
    const [email] = await arrived();
    expect(email?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(email?.text?.trimEnd()).toBe(outgoing.text.trimEnd());
    expect(email?.subject).toContain('Bcc: eve@example.com');
  });

  it('says where e-mails of its kind are ended, and by one click only over TLS', async () => {
    const unsubscribing = async (unsubscribeUrl?: string): Promise<(string | undefined)[]> => {
      await transport.send(unsubscribeUrl === undefined ? outgoing : { ...outgoing, unsubscribeUrl });
      const headers = (await arrived()).at(-1)?.headers ?? [];
      return ['list-unsubscribe', 'list-unsubscribe-post'].map(
        (name) => headers.find(({ key }) => key === name)?.value,
      );
    };
    const path = `chat.example.com/accounts/unsubscribe/${'x'.repeat(200)}`;
    expect(await unsubscribing()).toEqual([undefined, undefined]);
    expect(await unsubscribing(`https://${path}`)).toEqual([
      `<https://${path}>`,
      'List-Unsubscribe=One-Click',
    ]);
    expect(await unsubscribing(`http://${path}`)).toEqual([`<http://${path}>`, undefined]);
  });

  it('has the same Message-ID when it is sent again', async () => {
    await transport.send(outgoing);
    const first = (await arrived())[0]?.messageId;
    await transport.send(outgoing);
    expect((await arrived()).at(-1)?.messageId).toBe(first);
  });
});

describe('the outbox', () => {
  it('holds one file an e-mail, which only its owner may read and any editor shows', async () => {
    const transport = new OutboxTransport(outbox());
    await transport.send(outgoing);
    await transport.send(outgoing);
    expect(await files()).toEqual([`2026-01-01T12-30-05.000Z-${outgoing.id}.eml`]);
    expect((await stat(outbox())).mode & 0o777).toBe(0o700);
    const file = join(outbox(), (await files())[0]!);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    expect(text).toContain(`Subject: ${outgoing.subject}\n`);
    expect(text).toContain(`\n\n${outgoing.text}`);
  });

  it('stores no e-mail about erased content, written before or after the erasure', async () => {
    await new OutboxTransport(outbox()).send(outgoing);
    const other = { ...outgoing, id: '1b1c6a52-6f0c-5c9e-9d0e-7f2b6e1d4a11', about: ['user:4'] as const };
    await new OutboxTransport(outbox()).send(other);
    const transport = new OutboxTransport(outbox());
    expect([...(await transport.subjects())].sort()).toEqual(['message:41', 'user:3', 'user:4']);
    await transport.forget(['message:41']);
    expect(await files()).toEqual([expect.stringContaining(other.id)]);
    await transport.send(outgoing);
    expect(await files()).toHaveLength(1);
    await transport.forget(['user:4']);
    expect(await files()).toEqual([]);
  });

  it('says that no e-mail can be sent while it cannot be written', async () => {
    const transport = new OutboxTransport('/dev/null/outbox');
    expect(await failureOf(transport)).toMatchObject({ failure: 'unreachable', reason: 'ENOTDIR' });
  });
});

describe('SMTP', () => {
  it('tells refused e-mails, delayed ones and an unreachable server apart, without the words of the server', async () => {
    const transport = new SmtpTransport(server.url);
    server.refusals.set(outgoing.to, 550);
    expect(await failureOf(transport)).toMatchObject({ failure: 'refused', reason: '550' });
    server.refusals.set(outgoing.to, 451);
    const delayed = await failureOf(transport);
    expect(delayed).toMatchObject({ failure: 'delayed', reason: '451' });
    expect(delayed.message).not.toContain('Not here');
    transport.close();
    await server.stop();
    const another = new SmtpTransport(server.url);
    expect(await failureOf(another)).toMatchObject({ failure: 'unreachable' });
    another.close();
    server = await MailServer.start();
  });

  it('takes several e-mails at once to a server that accepts few connections', async () => {
    const strict = await MailServer.start(0, 2);
    const transport = new SmtpTransport(strict.url);
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => transport.send({ ...outgoing, id })));
    expect(strict.received).toHaveLength(4);
    transport.close();
    await strict.stop();
  });
});

async function failureOf(transport: MailTransport): Promise<MailNotSentError> {
  return transport.send(outgoing).then(
    () => {
      throw new Error('It was sent');
    },
    (error: MailNotSentError) => error,
  );
}
