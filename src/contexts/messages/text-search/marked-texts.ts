import { htmlOf, type MessageDocument } from '../message-document.js';
import { shownTopic } from '../../../events/values/message-text.js';
import type { MessageFormat } from '../view/reader.js';
import { highlightHtml, highlightPlain } from './highlight.js';
import type { TextQuery } from './text-query.js';

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
