import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { shownTopic } from '../../../events/values/message-text.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';
import { placeChange, type MessageHistory, type ShowTopic } from '../view/edit-history.js';
import { htmlOf, type MessageDocument, type MessageEditDocument } from '../message-document.js';
import type { MoveDocument } from '../moves/move-documents.js';
import { MessageReader } from '../message-reader.js';
import type { MessageFormat } from '../view/flags.js';
import type { MessageVersion } from '../messages.replies.js';

/**
 * Reads the versions of a message, oldest first. If a message has very many changes, only the newest versions are
 * returned; the `prev_` members of the first of them tell what came before.
 */
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

  /**
   * @throws ApplicationError `invalidMessage`; `editHistoryDisabled` where the organization shows no history
   */
  async execute({ caller, messageId, format }: GetMessageHistory): Promise<readonly MessageVersion[]> {
    const session = await this.messages.open(caller);
    const message = await session.get(messageId);
    if (message === null) throw failure('invalidMessage');
    if (session.serializer.historyPolicy === 'none') {
      throw failure('editHistoryDisabled');
    }
    const history = await session.serializer.visibleHistory(message);
    const show = (topic: string): string => shownTopic(topic, format);
    return versionsOf(message.document, history, show);
  }
}

/** The members of a version that a later change replaces. */
type Present = Pick<MessageVersion, 'topic' | 'content' | 'rendered_content'>;

/** Walks back from the present message: each history entry says what it replaced. */
function versionsOf(
  message: MessageDocument,
  { entries, isWhole }: MessageHistory,
  show: ShowTopic,
): readonly MessageVersion[] {
  let present: Present = {
    // The topic of a direct message is the empty text, not the display name of the empty topic.
    topic: message.topic === null ? '' : show(message.topic),
    content: message.content,
    rendered_content: htmlOf(message),
  };
  const versions: MessageVersion[] = [];
  for (const { userId, timestamp, edit, move } of entries.toReversed()) {
    versions.push({
      user_id: userId,
      timestamp,
      ...present,
      ...(edit !== null && textChange(edit)),
      ...(move !== null && replacedPlace(move, show)),
    });
    if (move !== null) present = { ...present, topic: show(move.topic) };
    if (edit !== null) {
      present = { ...present, content: edit.previousContent, rendered_content: edit.previousHtml };
    }
  }
  if (isWhole) versions.push({ user_id: message.senderId, timestamp: message.timestamp, ...present });
  return versions.reverse();
}

function textChange({
  previousContent,
  previousHtml,
  contentDifferences,
}: MessageEditDocument): Partial<MessageVersion> {
  return {
    prev_content: previousContent,
    prev_rendered_content: previousHtml,
    content_html_diff: contentDifferences,
  };
}

/** The members of a version that describe a move, without `topic`, which every version has. */
function replacedPlace(move: MoveDocument, show: ShowTopic): Partial<MessageVersion> {
  const { topic: _topic, ...replaced } = placeChange(move, show);
  return replaced;
}
