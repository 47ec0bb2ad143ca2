import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { eventually } from './eventually.js';

/** The e-mails that a server without a mail server writes to its data directory. */
export class Outbox {
  constructor(private readonly directory: string) {}

  /** The e-mails to an address, oldest first. */
  async to(address: string): Promise<Email[]> {
    const folder = join(this.directory, 'outbox');
    const files = await readdir(folder).catch(() => []);
    const emails = await Promise.all(
      files
        .filter((file) => file.endsWith('.eml'))
        .sort()
        .map(async (file) => PostalMime.parse(await readFile(join(folder, file)))),
    );
    return emails.filter(({ to }) => to?.some((one) => one.address === address));
  }

  /** Waits for the nth e-mail to an address. */
  async emailTo(address: string, count = 1): Promise<Email> {
    const emails = await eventually(
      () => this.to(address),
      (found) => found.length >= count,
    );
    return emails[count - 1]!;
  }

  /** Waits for the nth e-mail to an address, and returns the first link in it. */
  async linkTo(address: string, count = 1): Promise<string> {
    const link = /https?:\/\/\S+/.exec((await this.emailTo(address, count)).text ?? '')?.[0];
    if (link === undefined) throw new Error(`The e-mail to ${address} has no link`);
    return link;
  }
}
