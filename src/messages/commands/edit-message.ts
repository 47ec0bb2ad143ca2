import { hash } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Moment } from '../../directory/moment.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { User } from '../../users/user.js';
import { composeText } from '../compose-text.js';
import type { MessageEdited } from '../events.js';
import { MessageChanges } from '../message-changes.js';
import type { Message } from '../message.js';
import { normalizeContent } from '../text.js';

/** Replaces the text of a message (specification, PATCH /messages/{message_id}). */
export class EditMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: {
      /** Undefined: the text stays. */
      readonly content: string | undefined;
      /** What the client believes the text to be, as its SHA-256; undefined: it does not say. */
      readonly previousContentSha256: string | undefined;
    },
  ) {
    super();
  }
}

/** What the decision depends on beside the message. */
export interface EditFacts {
  readonly moment: Moment;
  readonly editor: User;
  /** How many people wrote in the topic; 0 where the new text mentions no topic as a whole. */
  readonly topicParticipants: number;
  /** Hexadecimal SHA-256 of a text. */
  readonly sha256: (text: string) => string;
}

/** Clients may be a little late. */
const graceSeconds = 20;

/** What stands in place of a text that was emptied (facts, section 2). */
const emptiedText = '(deleted)';

/**
 * Only its sender edits a message, within the organization's limit; the checks come in the order of facts, section 2.
 *
 * @throws ApplicationError when they may not, or when the text is not what the client believes it to be
 */
export function decideEditMessage(
  message: Message,
  { content, previousContentSha256 }: EditMessage['request'],
  { moment, editor, sha256, topicParticipants }: EditFacts,
): readonly EventOf<typeof MessageEdited>[] {
  if (message.isDeleted) throw failure('invalidMessage');
  if (content === undefined) throw failure('badRequest', { reason: 'Nothing to change' });
  refuseEditing(message, editor, moment);
  const text = normalizeContent(content) || emptiedText;
  if (
    previousContentSha256 !== undefined &&
    previousContentSha256.toLowerCase() !== sha256(message.content)
  ) {
    throw failure('expectationMismatch', { field_name: 'prev_content_sha256' });
  }
  const { id, senderId, key, recipient } = message;
  const composed = composeText(text, { moment, sender: editor, recipient, topicParticipants });
  return [{ type: 'MessageEdited', data: { messageId: id, senderId, messageKey: key, ...composed } }];
}

function refuseEditing({ senderId, sentAt }: Message, editor: User, { directory, now }: Moment): void {
  const settings = directory.organization?.settings;
  if (settings?.allow_message_editing !== true) {
    throw failure('badRequest', { reason: 'Your organization has turned off message editing' });
  }
  if (senderId !== editor.id) {
    throw failure('badRequest', { reason: "You don't have permission to edit this message" });
  }
  const limit = settings.message_content_edit_limit_seconds;
  if (limit !== null && now - sentAt > (limit + graceSeconds) * 1000) {
    throw failure('badRequest', { reason: 'The time limit for editing this message has passed' });
  }
}

@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(private readonly changes: MessageChanges) {}

  async execute({ caller, messageId, request }: EditMessage): Promise<void> {
    const target = { messageId, newText: request.content };
    await this.changes.apply(caller, target, (message, { actor: editor, ...facts }) =>
      decideEditMessage(message, request, { ...facts, editor, sha256: (text) => hash('sha256', text) }),
    );
  }
}
