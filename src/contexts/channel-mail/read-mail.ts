import { hash } from 'node:crypto';
import { htmlToText } from 'html-to-text';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { truncateContent } from '../../events/values/message-text.js';
import { limits } from '../../events/values/organization-defaults.js';
import { contentTypeOf } from '../uploads/upload-path.js';

/** A file that came with a mail. */
export interface AttachedFile {
  /** The file's name in the mail, without a path. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The files of a mail. */
interface AttachedFiles {
  readonly kept: readonly AttachedFile[];
  /** How many more files there were than a message can name. */
  readonly left: number;
}

/** The links to this many files leave room for the text of the mail. */
const MAX_FILES = 10;
const MAX_NAME_LENGTH = 200;

/** The files of a mail, images within its text included. */
function filesOf({ attachments }: Pick<Email, 'attachments'>): AttachedFiles {
  const kept = attachments.slice(0, MAX_FILES).map(fileOf);
  return { kept, left: attachments.length - kept.length };
}

function fileOf({ filename, mimeType, content }: Attachment): AttachedFile {
  const [last = ''] = (filename ?? '').split(/[\\/]/).slice(-1);
  const printable = last.replaceAll(/\p{Cc}/gu, '').trim();
  const name = [...printable].slice(-MAX_NAME_LENGTH).join('') || 'attachment';
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  return { name, contentType: contentTypeOf(mimeType, name), content: bytes };
}

/** A mail as a message. */
interface MailText {
  readonly topic: string;
  /** Markdown; empty if the mail has no text. */
  readonly content: string;
}

const NO_SUBJECT = 'Email with no subject';

/** How much of a mail is read, in UTF-16 units: more would not fit into a message. */
const [MAX_TEXT_LENGTH, MAX_HTML_LENGTH] = [100_000, 1_000_000];
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** The subject becomes the topic; the text is the plain part, or the HTML without markup. */
function textOf({ subject = '', text, html }: Email): MailText {
  const topic = subject.replaceAll(/\s+/g, ' ').replaceAll(unprintable, '').trim();
  const whole = text?.trim() || plain(html ?? '').trim();
  const said = whole.slice(0, MAX_TEXT_LENGTH).replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  return { topic: topic || NO_SUBJECT, content: said };
}

/** The files of a mail, as its message names them. */
interface NamedAttachments {
  readonly links: readonly { readonly name: string; readonly url: string }[];
  /** How many more there were. */
  readonly left: number;
}

/** A text followed by links to files; the text is cut to fit into a message. */
export function withAttachments(text: string, { links, left }: NamedAttachments): string {
  const lines = links.map(({ name, url }) => `[${linkText(name)}](${url})`);
  if (left > 0) lines.push(`*(${left} more attached, and not kept)*`);
  if (lines.length === 0) return text;
  const named = lines.join('\n');
  const room = limits.message - [...named].length - 2;
  return [truncateContent(text, room), named].filter(Boolean).join('\n\n');
}

/** Escapes a name for use as the text of a link. */
function linkText(name: string): string {
  return name.replaceAll(/[[\]`@#*\s]+/g, ' ').trim() || 'attachment';
}

function plain(html: string): string {
  return htmlToText(html.slice(0, MAX_HTML_LENGTH), {
    wordwrap: false,
    limits: { maxDepth: 100 },
    selectors: [{ selector: 'img', format: 'skip' }],
  });
}

/** Whether a mail was sent automatically: answering such mail could cause loops. */
function isAutomatic({ headers }: Email): boolean {
  return headers.some(({ key, value }) => {
    if (key === 'auto-submitted') return value.trim().toLowerCase() !== 'no';
    return key === 'precedence' && /^(bulk|junk)$/i.test(value.trim());
  });
}

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
