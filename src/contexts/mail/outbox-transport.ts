import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { EmailMention, OutgoingEmail } from './email.js';
import { MailNotSentError, MailTransport } from './mail-transport.js';
import { messageId } from './message-id.js';
import { unsubscribeHeaders } from './unsubscribe-headers.js';

/** Names in a file what its e-mail tells of. */
const aboutField = 'X-Palimpsest-About';

/** Puts each e-mail into a file that people and mail programs can read, in place of a server that would take it. */
export class OutboxTransport extends MailTransport {
  /** What the e-mails tell of that were looked at, by their files. */
  private known: ReadonlyMap<string, readonly string[]> = new Map();
  /** What was erased lately: an e-mail about it may be on its way. */
  private readonly forgotten = new LRUCache<string, true>({ max: 1000 });

  /** @param directory made when it is missing; it holds links that let whoever follows them in, so it is for its owner alone */
  constructor(private readonly directory: string) {
    super();
  }

  override async send(email: OutgoingEmail): Promise<void> {
    const file = join(this.directory, `${fileTime(email.date)}-${email.id}.eml`);
    const draft = `${file}.part`;
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await writeFile(draft, written(email), { mode: 0o600, flush: true });
      await rename(draft, file);
      // Whatever it tells of may have been erased since it was written.
      if (email.about.some((subject) => this.forgotten.has(subject))) await rm(file, { force: true });
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw new MailNotSentError('unreachable', code);
    }
  }

  override async subjects(): Promise<ReadonlySet<string>> {
    const emails = await this.emails();
    return new Set([...emails.values()].flat());
  }

  override async forget(subjects: readonly EmailMention[]): Promise<void> {
    const gone: ReadonlySet<string> = new Set(subjects);
    for (const subject of gone) this.forgotten.set(subject, true);
    for (const [file, about] of await this.emails()) {
      if (about.some((subject) => gone.has(subject))) await rm(join(this.directory, file), { force: true });
    }
  }

  override close(): void {}

  /** What each e-mail tells of, by its file. Each is read once. */
  private async emails(): Promise<ReadonlyMap<string, readonly string[]>> {
    const files = (await readdir(this.directory).catch(nothingIfMissing)).filter((file) =>
      file.endsWith('.eml'),
    );
    const emails = new Map<string, readonly string[]>();
    for (const file of files) {
      emails.set(
        file,
        this.known.get(file) ?? subjectsIn(await readFile(join(this.directory, file), 'utf8')),
      );
    }
    this.known = emails;
    return emails;
  }
}

function nothingIfMissing(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Each stands in a line of its own in the header, which an empty line ends. */
function subjectsIn(email: string): readonly string[] {
  const header = email.slice(0, email.indexOf('\n\n')).split('\n');
  const prefix = `${aboutField}: `;
  return header.flatMap((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : []));
}

/** So that files lie in the order of their e-mails, under names that every file system takes. */
function fileTime(date: number): string {
  return new Date(date).toISOString().replaceAll(':', '-');
}

/** An internet message whose header and body are UTF-8 as they are (RFC 6532), so that a text editor shows it. */
function written(email: OutgoingEmail): string {
  // Nobody who wrote what the e-mail says knew its id.
  const boundary = `=_${email.id}`;
  const header = {
    From: email.from,
    To: email.to,
    Subject: email.subject,
    Date: new Date(email.date).toUTCString().replace('GMT', '+0000'),
    'Message-ID': messageId(email),
    ...unsubscribeHeaders(email),
    'MIME-Version': '1.0',
    'Content-Type': `multipart/alternative; boundary="${boundary}"`,
  };
  const about = email.about.map((subject) => [aboutField, subject] as const);
  const lines = [...Object.entries(header), ...about].map(
    ([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`,
  );
  const part = (type: string, content: string): string =>
    `--${boundary}\nContent-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content.trimEnd()}\n`;
  const parts = [part('text/plain', email.text), part('text/html', email.html)];
  return `${lines.join('\n')}\n\n${parts.join('\n')}\n--${boundary}--\n`;
}
