import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { diffWordsWithSpace } from 'diff';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { shownTopic } from '../text.js';
import { placeChange, type HistoryEntry, type ShowTopic } from '../view/edit-history.js';
import type { MessageDocument, MessageEditDocument } from '../message-document.js';
import type { MoveDocument } from '../move-documents.js';
import { escapeLiteral } from '../markdown/html.js';
import { MessageReader } from '../message-reader.js';
import type { MessageFormat } from '../view/reader.js';

/** One version of a message (facts, section 5, GET messages/{id}/history). */
export interface MessageVersion {
  readonly user_id: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly prev_topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
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

  /** @throws ApplicationError `invalidMessage`; `badRequest` where the organization shows nobody what was there before */
  async execute({ caller, messageId, format }: GetMessageHistory): Promise<readonly MessageVersion[]> {
    const reading = await this.messages.open(caller);
    const message = await reading.get(messageId);
    if (message === null) throw failure('invalidMessage');
    if (reading.historyPolicy === 'none') {
      throw failure('badRequest', { reason: 'Message edit history is disabled in this organization.' });
    }
    const histories = await reading.visibleHistories([message]);
    const show = (topic: string): string => shownTopic(topic, format);
    return versionsOf(message.document, histories.get(messageId) ?? [], show);
  }
}

/** What of a version a later change replaces. */
type Present = Pick<MessageVersion, 'topic' | 'content' | 'rendered_content'>;

/** Walks back from the message as it is now: each entry says what stood there before it. */
function versionsOf(
  message: MessageDocument,
  entries: readonly HistoryEntry[],
  show: ShowTopic,
): readonly MessageVersion[] {
  let present: Present = {
    topic: show(message.topic ?? ''),
    content: message.content,
    rendered_content: message.html,
  };
  const versions: MessageVersion[] = [];
  for (const { userId, timestamp, edit, move } of entries.toReversed()) {
    versions.push({
      user_id: userId,
      timestamp,
      ...present,
      ...(edit !== null && textChange(edit, present.content)),
      ...(move !== null && replacedPlace(move, show)),
    });
    if (move !== null) present = { ...present, topic: show(move.topic) };
    if (edit !== null) {
      present = { ...present, content: edit.previousContent, rendered_content: edit.previousHtml };
    }
  }
  versions.push({ user_id: message.senderId, timestamp: message.timestamp, ...present });
  return versions.reverse();
}

function textChange(
  { previousContent, previousHtml }: MessageEditDocument,
  content: string,
): Partial<MessageVersion> {
  return {
    prev_content: previousContent,
    prev_rendered_content: previousHtml,
    content_html_diff: markDifferences(previousContent, content),
  };
}

/** The version says its topic anyway. */
function replacedPlace(move: MoveDocument, show: ShowTopic): Partial<MessageVersion> {
  const { topic: _topic, ...replaced } = placeChange(move, show);
  return replaced;
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
