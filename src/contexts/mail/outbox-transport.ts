import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { EmailMention, OutgoingEmail } from './email.js';
import { MailNotSentError, MailTransport, messageId, unsubscribeHeaders } from './mail-transport.js';

/** Header field of a stored e-mail with everything that it mentions. */
const ABOUT_FIELD = 'X-Palimpsest-About';

/** Writes each e-mail to a file that people and mail programs can read, instead of sending it. */
export class OutboxTransport extends MailTransport {
  /** What the e-mails that were read mention, by file. */
  private known: ReadonlyMap<string, readonly string[]> = new Map();
  /** What was erased recently: an e-mail that mentions it may just be written. */
  private readonly forgotten = new LRUCache<string, true>({ max: 1000 });

  /**
   * @param directory created if missing, readable only by its owner, because e-mails contain links that
   * authenticate
   */
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
      // Something that it mentions may have been erased while it was being written.
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

  /** What each e-mail mentions, by file. Each file is read once. */
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

/** One header line for each mention; an empty line ends the header. */
function subjectsIn(email: string): readonly string[] {
  const header = email.slice(0, email.indexOf('\n\n')).split('\n');
  const prefix = `${ABOUT_FIELD}: `;
  return header.flatMap((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : []));
}

/** Makes file names that sort by time and are valid in every file system. */
function fileTime(date: number): string {
  return new Date(date).toISOString().replaceAll(':', '-');
}

/** An internet message with header and body in plain UTF-8 (RFC 6532), so that a text editor shows it. */
function written(email: OutgoingEmail): string {
  // The id is unknown to anybody who wrote the content, so the content cannot contain the boundary.
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
  const about = email.about.map((subject) => [ABOUT_FIELD, subject] as const);
  const lines = [...Object.entries(header), ...about].map(
    ([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`,
  );
  const part = (type: string, content: string): string =>
    `--${boundary}\nContent-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content.trimEnd()}\n`;
  const parts = [part('text/plain', email.text), part('text/html', email.html)];
  return `${lines.join('\n')}\n\n${parts.join('\n')}\n--${boundary}--\n`;
}
