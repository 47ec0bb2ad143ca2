import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Directory } from '../../../access/directory.js';
import { truncateContent } from '../../../events/values/message-text.js';
import { limits } from '../../../events/values/organization-defaults.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { ListBudget, sizeWithHtml } from '../list-budget.js';
import { failure } from '../../../kernel/errors.js';
import { isLongerThan } from '../../../kernel/text.js';
import { fenceFor, silentUserMention } from '../../../markdown/written-names.js';
import { knowsEveryone } from '../../../access/known-people.js';
import type { ComposingContext } from '../../messages/sending/compose-text.js';
import { newestInLinkedTopics } from '../../messages/sending/linked-topics.js';
import type { MessageDocument } from '../../messages/message-document.js';
import { MessageReader } from '../../messages/message-reader.js';
import { messageAddress, threadMessageLink, type LinkedMessage } from '../../messages/sending/place-links.js';
import { UploadAccess } from '../../uploads/upload-access.js';
import {
  composeReminder,
  decideCancelReminder,
  decideRequestReminder,
  MAX_NOTE_LENGTH,
} from '../reminders.decide.js';
import { remindersOf } from '../reminders.state.js';

/** The message that a reminder is about. */
type RememberedMessage = LinkedMessage & Pick<MessageDocument, 'senderId' | 'content'>;

/**
 * The text of a due reminder: a link to the message, the person's note, and the present text of the message,
 * cut to fit.
 */
export function reminderText(
  message: RememberedMessage,
  note: string,
  { snapshot: { directory }, knows = knowsEveryone }: Pick<ComposingContext, 'snapshot' | 'knows'>,
): string {
  const sender = directory.user(message.senderId);
  const place = placeOf(message, directory);
  const author = sender === null || !knows(sender) ? 'Somebody' : silentUserMention(sender);
  const request = `You requested a reminder for ${place}.${noteText(note)}`;
  const fence = fenceFor(message.content);
  const opening = `${request}\n\n${author} [said](${messageAddress(message, directory)}):\n${fence}quote`;
  const around = `${opening}\n\n${fence}`;
  const room = limits.message - [...around].length;
  return `${opening}\n${truncateContent(message.content, room)}\n${fence}`;
}

function placeOf({ _id, channelId, topic }: RememberedMessage, directory: Directory): string {
  if (channelId === null) return 'a direct message';
  return threadMessageLink({ channelId, topic: topic ?? '' }, _id, directory);
}

function noteText(note: string): string {
  return note === '' ? '' : ` Note:\n${note.replaceAll(/^/gm, '> ')}`;
}

/** Requests a reminder of a message (`POST /reminders`). Returns the reminder's id. */
export class RequestReminder extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly messageId: number;
      /** Seconds since the UNIX epoch. */
      readonly dueAt: number;
      readonly note: string;
    },
  ) {
    super();
  }
}

@CommandHandler(RequestReminder)
export class RequestReminderHandler implements ICommandHandler<RequestReminder> {
  constructor(
    private readonly decisions: Decisions,
    private readonly messages: MessageReader,
    private readonly uploadAccess: UploadAccess,
    private readonly room: ListBudget,
  ) {}

  /**
   * @throws ApplicationError `invalidMessage`, the same for a message that does not exist and one that the
   * caller cannot see; `listTooLong`
   */
  async execute({ caller, request: { messageId, dueAt, note } }: RequestReminder): Promise<number> {
    if (isLongerThan(note, MAX_NOTE_LENGTH)) throw failure('reminderNoteTooLong');
    const session = await this.messages.open(caller);
    const { snapshot, user, knows } = session.context;
    const message = await session.locate(messageId);
    if (message === null) throw failure('invalidMessage');
    const content = reminderText(message, note, { snapshot, knows });
    const [uploads, topicMessages] = await Promise.all([
      this.uploadAccess.namedIn(content, user.id),
      newestInLinkedTopics(content, session),
    ]);
    const text = composeReminder(content, user, { snapshot, knows, uploads, topicMessages });
    await this.room.assertRoomFor('reminders', { userId: caller.userId, size: sizeWithHtml(text) });
    const {
      events: [requested],
    } = await this.decisions.decide(caller, remindersOf(caller.userId), (reminders) =>
      decideRequestReminder(reminders, { userId: caller.userId, messageId, dueAt, text }, snapshot),
    );
    if (requested === undefined) throw failure('internalError');
    return requested.data.reminderId;
  }
}

/** Cancels a reminder before it is due (`DELETE /reminders/{reminder_id}`). */
export class CancelReminder extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly reminderId: number,
  ) {
    super();
  }
}

@CommandHandler(CancelReminder)
export class CancelReminderHandler implements ICommandHandler<CancelReminder> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, reminderId }: CancelReminder): Promise<void> {
    const { userId } = caller;
    await this.decisions.decide(caller, remindersOf(caller.userId), (reminders) =>
      decideCancelReminder(reminders, { userId, reminderId }),
    );
  }
}
