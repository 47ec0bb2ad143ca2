import { htmlToText } from 'html-to-text';
import type { Email } from 'postal-mime';

/** A mail as a message would say it. */
export interface MailText {
  readonly topic: string;
  /** Markdown; empty where the mail says nothing. */
  readonly content: string;
}

const noSubject = 'Email with no subject';
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** The subject is the topic; the text is its plain part, or what its HTML says without its markup. */
export function textOf({ subject = '', text, html, attachments }: Email): MailText {
  const topic = subject.replaceAll(/\s+/g, ' ').replaceAll(unprintable, '').trim();
  const said = (text?.trim() || plain(html ?? '')).replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  const left = attachments.length === 0 ? '' : `*(${attachments.length} attached, and not kept)*`;
  return { topic: topic || noSubject, content: [said, left].filter(Boolean).join('\n\n') };
}

function plain(html: string): string {
  return htmlToText(html, {
    wordwrap: false,
    limits: { maxInputLength: 1_000_000, maxDepth: 100 },
    selectors: [{ selector: 'img', format: 'skip' }],
  });
}

/** Whether a program wrote it by itself: answers to those go round in circles. */
export function isAutomatic({ headers }: Email): boolean {
  return headers.some(({ key, value }) => {
    if (key === 'auto-submitted') return value.trim().toLowerCase() !== 'no';
    return key === 'precedence' && /^(bulk|junk)$/i.test(value.trim());
  });
}
