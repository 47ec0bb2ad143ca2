import { escapeHtml } from '../../kernel/escape-html.js';

/** A part of an e-mail. All of it is plain text and is escaped in HTML. */
export type EmailPart =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A link on a line of its own. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** What somebody wrote; null: not shown. */
  | { readonly kind: 'quotation'; readonly by: string; readonly text: string | null };

/** The sender, and how the reader logs in. */
interface EmailFrame {
  /** The organization's name. */
  readonly organization: string;
  /** Where people log in. */
  readonly site: string;
  /** The reader's address, or the one that replaces it; null: the reader has no account yet. */
  readonly email: string | null;
}

/** The same e-mail as text and as HTML. */
export interface EmailBody {
  readonly text: string;
  readonly html: string;
}

/** Formats an e-mail as text, and as HTML that loads nothing. */
export function emailBody(parts: readonly EmailPart[], frame: EmailFrame): EmailBody {
  const closing = closingOf(frame);
  return {
    text: `${parts.map(textOf).join('\n\n')}\n\n--\n${closing}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8"></head><body>',
      ...parts.map(htmlOf),
      `<hr><p><small>${escapeHtml(closing)}</small></p>`,
      '</body></html>',
      '',
    ].join('\n'),
  };
}

/** A paragraph of an e-mail. */
export function paragraph(text: string): EmailPart {
  return { kind: 'paragraph', text };
}

function closingOf({ organization, site, email }: EmailFrame): string {
  const how = email === null ? 'Once you have an account, you log in' : 'You log in';
  return `This e-mail is from ${organization}. ${how} at ${site} with ${email ?? 'this address'}.`;
}

function textOf(part: EmailPart): string {
  switch (part.kind) {
    case 'paragraph':
    case 'heading':
      return part.text;
    case 'link':
      return part.url;
    case 'quotation':
      return part.text === null ? part.by : `${part.by}\n${part.text.replaceAll(/^/gm, '    ')}`;
  }
}

function htmlOf(part: EmailPart): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p>${escapeHtml(part.text)}</p>`;
    case 'heading':
      return `<h2>${escapeHtml(part.text)}</h2>`;
    case 'link':
      return `<p><a href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`;
    case 'quotation': {
      const by = `<p><b>${escapeHtml(part.by)}</b></p>`;
      if (part.text === null) return by;
      return `${by}\n<blockquote style="white-space: pre-wrap">${escapeHtml(part.text)}</blockquote>`;
    }
  }
}
