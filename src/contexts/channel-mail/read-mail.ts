import { hash } from 'node:crypto';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { filesOf, type AttachedFiles } from './attached-files.js';
import { isAutomatic, textOf, type MailText } from './mail-text.js';

/** A parsed mail. */
export interface ReceivedMail extends MailText {
  /** Identifies the mail: its `Message-ID`, or a digest of it. */
  readonly id: string;
  /** `name <address>` from the mail; null: absent. */
  readonly from: string | null;
  readonly attached: AttachedFiles;
}

/** The mail as a message; null if it was sent automatically. */
export async function readMail(bytes: Buffer): Promise<ReceivedMail | null> {
  const email = await PostalMime.parse(bytes, { maxNestingDepth: 50 });
  if (isAutomatic(email)) return null;
  const id = email.messageId ?? hash('sha256', bytes);
  return { ...textOf(email), id, from: authorOf(email), attached: filesOf(email) };
}

function authorOf({ from }: Email): string | null {
  const { name, address }: Partial<Address> = from ?? {};
  if (address === undefined || address === '') return null;
  const plain = address.replaceAll(/[\s<>*`[\]]+/g, '');
  return name ? `${name.replaceAll(/[\s<>*_`[\]]+/g, ' ').trim()} <${plain}>` : plain;
}
