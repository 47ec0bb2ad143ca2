import { escapeHtml } from '../../http/pages.js';

/** A part of a letter. Everything in it is text, whoever wrote it: nothing of it becomes markup. */
export type LetterPart =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A link on a line of its own. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** What somebody said; null: it is not shown. */
  | { readonly kind: 'quotation'; readonly by: string; readonly text: string | null };

/** Whom a letter is from, and how its reader logs in. */
export interface LetterFrame {
  /** The organization's name. */
  readonly organization: string;
  /** Where people log in. */
  readonly site: string;
  /** What with: an address, or what stands for it; null: the reader has no account yet. */
  readonly email: string | null;
}

/** The same letter in two forms. */
export interface LetterBody {
  readonly text: string;
  readonly html: string;
}

/** Writes a letter as text and as HTML that loads nothing. */
export function letterBody(parts: readonly LetterPart[], frame: LetterFrame): LetterBody {
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

/** A paragraph of a letter. */
export function paragraph(text: string): LetterPart {
  return { kind: 'paragraph', text };
}

function closingOf({ organization, site, email }: LetterFrame): string {
  const how = email === null ? 'Once you have an account, you log in' : 'You log in';
  return `This e-mail is from ${organization}. ${how} at ${site} with ${email ?? 'this address'}.`;
}

function textOf(part: LetterPart): string {
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

function htmlOf(part: LetterPart): string {
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
