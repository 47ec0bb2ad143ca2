import { shownTopic } from '../../../events/values/message-text.js';
import { escapeLiteral } from '../../../markdown/html.js';
import { htmlOf, type MessageDocument } from '../message-document.js';
import type { MessageFormat } from '../view/flags.js';
import type { TextQuery } from './text-query.js';
import { wordsIn } from './words.js';

const OPENING = '<span class="highlight">';
const CLOSING = '</span>';

/** Tags and character references; the text stands between them. */
const markup = /<[^>]*>|&#?\w{1,32};/g;

/** Marks words in HTML that the server rendered, where every bare `<` begins a tag. */
export function highlightHtml(html: string, stems: ReadonlySet<string>): string {
  let marked = '';
  let end = 0;
  for (const { 0: tag, index } of html.matchAll(markup)) {
    marked += highlightText(html.slice(end, index), stems) + tag;
    end = index + tag.length;
  }
  return marked + highlightText(html.slice(end), stems);
}

/** Marks words in a plain text and escapes it as HTML. */
export function highlightPlain(text: string, stems: ReadonlySet<string>): string {
  return highlightHtml(escapeLiteral(text), stems);
}

function highlightText(text: string, stems: ReadonlySet<string>): string {
  let marked = '';
  let done = 0;
  for (const { start, end, stem } of wordsIn(text)) {
    if (!stems.has(stem)) continue;
    marked += text.slice(done, start) + OPENING + text.slice(start, end) + CLOSING;
    done = end;
  }
  return marked + text.slice(done);
}

/** The text and the topic of a message as HTML, with the searched words marked. */
export interface MarkedTexts {
  readonly match_content: string;
  readonly match_subject: string;
}

/** @param sought null: nothing is marked */
export function markedTexts(
  { topic, ...text }: Pick<MessageDocument, 'html' | 'content' | 'topic'>,
  sought: TextQuery | null,
  format: Pick<MessageFormat, 'allowEmptyTopicName'>,
): MarkedTexts {
  const stems = new Set(sought?.stems);
  const subject = topic === null ? '' : shownTopic(topic, format);
  return { match_content: highlightHtml(htmlOf(text), stems), match_subject: highlightPlain(subject, stems) };
}
