import { htmlToText } from 'html-to-text';
import type { Email } from 'postal-mime';
import { truncateContent } from '../../events/values/message-text.js';
import { limits } from '../../events/values/organization-defaults.js';

/** A mail as a message. */
export interface MailText {
  readonly topic: string;
  /** Markdown; empty if the mail has no text. */
  readonly content: string;
}

const noSubject = 'Email with no subject';

/** How much of a mail is read, in UTF-16 units: more would not fit into a message. */
const [maxTextLength, maxHtmlLength] = [100_000, 1_000_000];
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** The subject becomes the topic; the text is the plain part, or the HTML without markup. */
export function textOf({ subject = '', text, html }: Email): MailText {
  const topic = subject.replaceAll(/\s+/g, ' ').replaceAll(unprintable, '').trim();
  const whole = text?.trim() || plain(html ?? '').trim();
  const said = whole.slice(0, maxTextLength).replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  return { topic: topic || noSubject, content: said };
}

/** The files of a mail, as its message names them. */
export interface NamedAttachments {
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
  return htmlToText(html.slice(0, maxHtmlLength), {
    wordwrap: false,
    limits: { maxDepth: 100 },
    selectors: [{ selector: 'img', format: 'skip' }],
  });
}

/** Whether a mail was sent automatically: answering such mail could cause loops. */
export function isAutomatic({ headers }: Email): boolean {
  return headers.some(({ key, value }) => {
    if (key === 'auto-submitted') return value.trim().toLowerCase() !== 'no';
    return key === 'precedence' && /^(bulk|junk)$/i.test(value.trim());
  });
}
