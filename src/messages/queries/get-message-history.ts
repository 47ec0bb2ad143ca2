import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { diffWordsWithSpace } from 'diff';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { emptyTopicDisplayName } from '../text.js';
import type { MessageDocument, MessageEditDocument } from '../message-document.js';
import { escapeLiteral } from '../markdown/html.js';
import { MessageReader } from '../message-reader.js';
import type { MessageFormat } from './get-messages.js';

/** One version of a message (facts, section 5, GET messages/{id}/history). */
export interface MessageVersion {
  readonly user_id: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  /** Both texts in one, with what was taken out and put in marked. */
  readonly content_html_diff?: string;
}

/** Reads every version of a message, oldest first. */
export class GetMessageHistory extends Query<readonly MessageVersion[]> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly format: MessageFormat,
  ) {
    super();
  }
}

@QueryHandler(GetMessageHistory)
export class GetMessageHistoryHandler implements IQueryHandler<GetMessageHistory> {
  constructor(private readonly messages: MessageReader) {}

  async execute({ caller, messageId, format }: GetMessageHistory): Promise<readonly MessageVersion[]> {
    const reading = await this.messages.open(caller);
    const message = await reading.get(messageId);
    if (message === null) throw failure('invalidMessage');
    const edits = await reading.visibleEdits([message]);
    const { topic } = message.document;
    const shownTopic = topic === '' && !format.allowEmptyTopicName ? emptyTopicDisplayName : (topic ?? '');
    return versionsOf(message.document, edits.get(messageId) ?? []).map((version) => ({
      ...version,
      topic: shownTopic,
    }));
  }
}

/** The text after each edit is the one that the next edit replaced, or the present one. */
function versionsOf(
  message: MessageDocument,
  edits: readonly MessageEditDocument[],
): readonly Omit<MessageVersion, 'topic'>[] {
  const textAfter = (index: number): Pick<MessageVersion, 'content' | 'rendered_content'> => {
    const next = edits[index];
    return next === undefined
      ? { content: message.content, rendered_content: message.html }
      : { content: next.previousContent, rendered_content: next.previousHtml };
  };
  const sent = { user_id: message.senderId, timestamp: message.timestamp, ...textAfter(0) };
  const edited = edits.map(({ userId, timestamp, previousContent, previousHtml }, index) => {
    const text = textAfter(index + 1);
    return {
      user_id: userId,
      timestamp,
      ...text,
      prev_content: previousContent,
      prev_rendered_content: previousHtml,
      content_html_diff: markDifferences(previousContent, text.content),
    };
  });
  return [sent, ...edited];
}

/** Texts that differ more than this are shown as wholly replaced, so that comparing them stays quick. */
const comparedWords = 1000;

function markDifferences(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: comparedWords }) ?? [
    { value: after, added: true, removed: false },
    { value: before, added: false, removed: true },
  ];
  const marked = parts.map(({ value, added, removed }) => {
    const text = escapeLiteral(value);
    if (added) return `<span class="highlight_text_inserted">${text}</span>`;
    return removed ? `<span class="highlight_text_deleted">${text}</span>` : text;
  });
  return `<div><p>${marked.join('').replaceAll('\n', '<br>')}</p></div>`;
}
