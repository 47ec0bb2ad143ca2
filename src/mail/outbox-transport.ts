import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostedLetter } from './letter.js';
import { MailNotSentError, MailTransport } from './mail-transport.js';
import { messageId } from './message-id.js';

/** Puts each letter into a file that people and mail programs can read, in place of a server that would take it. */
export class OutboxTransport extends MailTransport {
  /** @param directory made when it is missing; it holds links that let whoever follows them in, so it is for its owner alone */
  constructor(private readonly directory: string) {
    super();
  }

  override async send(letter: PostedLetter): Promise<void> {
    const file = join(this.directory, `${fileTime(letter.date)}-${letter.id}.eml`);
    const draft = `${file}.part`;
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await writeFile(draft, written(letter), { mode: 0o600, flush: true });
      await rename(draft, file);
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw new MailNotSentError('unreachable', code);
    }
  }

  override close(): void {}
}

/** So that files lie in the order of their letters, under names that every file system takes. */
function fileTime(date: number): string {
  return new Date(date).toISOString().replaceAll(':', '-');
}

/** An internet message whose header and body are UTF-8 as they are (RFC 6532), so that a text editor shows it. */
function written(letter: PostedLetter): string {
  const header = {
    From: letter.from,
    To: letter.to,
    Subject: letter.subject,
    Date: new Date(letter.date).toUTCString().replace('GMT', '+0000'),
    'Message-ID': messageId(letter),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  const lines = Object.entries(header).map(
    ([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`,
  );
  return `${lines.join('\n')}\n\n${letter.text.trimEnd()}\n`;
}
