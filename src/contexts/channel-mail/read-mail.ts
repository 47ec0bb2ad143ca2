import { hash } from 'node:crypto';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { filesOf, type AttachedFiles } from './attached-files.js';
import { isAutomatic, textOf, type MailText } from './mail-text.js';

/** A mail that came in. */
export interface ReceivedMail extends MailText {
  /** Names the mail among all: its `Message-ID`, or a digest of it. */
  readonly id: string;
  /** `name <address>`, as the mail says; null: it does not. */
  readonly from: string | null;
  readonly attached: AttachedFiles;
}

/** A mail as a message would say it; null for one that a program wrote by itself. */
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
