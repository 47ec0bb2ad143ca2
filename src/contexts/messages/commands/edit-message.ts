import { hash } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Moment } from '../../../access/moment.js';
import type { Caller } from '../../../http/caller.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { User } from '../../../access/records/user.js';
import { composeText, noUploads, type ComposedText } from '../compose-text.js';
import type { MessageEdited } from '../../../events/messages.js';
import { MessageChanges } from '../message-changes.js';
import { MessageMoves } from '../message-moves.js';
import type { MoveEvent } from '../../../events/message-moves.js';
import {
  allowTopic,
  decideMove,
  graceSeconds,
  intendedMove,
  refuseImpossibleMove,
  type MovedPlace,
  type MoveFacts,
  type MoveRequest,
} from '../moving.js';
import type { Message } from '../message.js';
import { knowsEveryone, type Knows } from '../../users/known-people.js';
import type { UploadDocument } from '../../uploads/read-model.js';
import { normalizeContent } from '../../../events/values/message-text.js';
import { UploadAccess } from '../upload-access.js';

/** Replaces the text of a message, or gives it and others another place (specification, PATCH /messages/{message_id}). */
export class EditMessage extends Command<EditOutcome> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: EditRequest,
  ) {
    super();
  }
}

/** What became of it beside the message. */
export interface EditOutcome {
  /** The editor's own uploads to which no message refers any more. */
  readonly detachedUploads: readonly UploadDocument[];
}

/** What a request asks for. */
export interface EditRequest extends MoveRequest {
  /** Undefined: the text stays. */
  readonly content: string | undefined;
  /** What the client believes the text to be, as its SHA-256; undefined: it does not say. */
  readonly previousContentSha256: string | undefined;
}

/** What the decision depends on beside the message. */
export interface EditFacts {
  readonly moment: Moment;
  readonly editor: User;
  /** Where the message lies now. */
  readonly place: MovedPlace;
  /** Who wrote or reacted in the topic so far; nobody where the new text mentions no topic as a whole. */
  readonly topicParticipantIds: readonly number[];
  /** What the new text names of uploads: see `Writing`. */
  readonly uploads: ReadonlyMap<string, number>;
  /** What it links to of topics: see `Writing`. */
  readonly topicMessages?: ReadonlyMap<string, number>;
  /** Whom the editor may know: see `Writing`. */
  readonly knows?: Knows;
  /** Hexadecimal SHA-256 of a text. */
  readonly sha256: (text: string) => string;
  /** What a move depends on; null where the request asks for none that is possible. */
  readonly move: MoveFacts | null;
}

/** What a request comes to: a text, a move, or both. */
export interface DecidedEdit {
  readonly edit: EventOf<typeof MessageEdited> | null;
  readonly move: MoveEvent | null;
}

/** What stands in place of a text that was emptied (facts, section 2). */
const emptiedText = '(deleted)';

/**
 * Only its sender edits a message, within the organization's limit; who may move it is a question apart. The checks come in
 * the order of facts, section 2.
 *
 * @throws ApplicationError when they may not, or when the text is not what the client believes it to be
 */
export function decideEditMessage(message: Message, request: EditRequest, facts: EditFacts): DecidedEdit {
  const { content } = request;
  const { moment, editor, place } = facts;
  if (message.isDeleted) throw failure('invalidMessage');
  if (content !== undefined) refuseEditing(message, editor, moment);
  const intended = intendedMove(request, place);
  if (content === undefined && intended === null) throw failure('nothingToChange');
  refuseImpossibleMove(intended, request, place);
  if (content !== undefined && intended !== null && intended.channelId !== null) {
    throw failure('contentAndChannelChanged');
  }
  if (content !== undefined && message.submessages.count > 0) throw failure('widgetNotEditable');
  if (content !== undefined && message.edits >= budgets.editsOfMessage.max) throw failure('tooManyEdits');
  refuseOtherText(message, request, facts);
  const channels =
    intended === null || facts.move === null ? null : allowTopic(intended, request, facts.move);
  const composed = content === undefined ? null : compose(message, content, facts);
  const move =
    intended === null || facts.move === null || channels === null
      ? null
      : decideMove(intended, request, { ...facts.move, ...channels });
  return { edit: composed && editOf(message, composed, move), move };
}

function compose(
  { recipient }: Message,
  content: string,
  {
    moment,
    editor: sender,
    topicParticipantIds,
    uploads,
    topicMessages = new Map(),
    knows = knowsEveryone,
  }: EditFacts,
): ComposedText {
  const text = normalizeContent(content) || emptiedText;
  const writing = { moment, sender, recipient, topicParticipantIds, uploads, topicMessages, knows };
  return composeText(text, writing);
}

function editOf(
  { id, senderId, key }: Message,
  composed: ComposedText,
  move: MoveEvent | null,
): EventOf<typeof MessageEdited> {
  return { type: 'MessageEdited', data: { messageId: id, senderId, messageKey: key, ...composed, move } };
}

function refuseOtherText(
  { content }: Message,
  { previousContentSha256 }: EditRequest,
  { sha256 }: EditFacts,
): void {
  if (previousContentSha256 === undefined || previousContentSha256.toLowerCase() === sha256(content)) return;
  throw failure('expectationMismatch', { field_name: 'prev_content_sha256' });
}

function refuseEditing({ senderId, sentAt }: Message, editor: User, { directory, now }: Moment): void {
  const settings = directory.organization?.settings;
  if (settings?.allow_message_editing !== true) {
    throw failure('editingTurnedOff');
  }
  if (senderId !== editor.id) {
    throw failure('editNotAllowed');
  }
  const limit = settings.message_content_edit_limit_seconds;
  if (limit !== null && now - sentAt > (limit + graceSeconds) * 1000) {
    throw failure('editTimeLimitPassed');
  }
}

const sha256 = (text: string): string => hash('sha256', text);

@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(
    private readonly changes: MessageChanges,
    private readonly moves: MessageMoves,
    private readonly uploadAccess: UploadAccess,
  ) {}

  async execute(command: EditMessage): Promise<EditOutcome> {
    const { content, topic, channelId } = command.request;
    const asksForMove = topic !== undefined || channelId !== undefined;
    if (content !== undefined || !asksForMove) return this.edit(command);
    await this.move(command);
    return { detachedUploads: [] };
  }

  /** A move alone is decided about in the stream of the channel. */
  private async move({ caller, messageId, request }: EditMessage): Promise<void> {
    await this.moves.apply(caller, messageId, async (found) => {
      const { moment, user: editor } = found.reading.context;
      const move = await this.moves.factsFor(found, request);
      const { place } = found;
      const facts = { moment, editor, place, topicParticipantIds: [], uploads: noUploads, sha256, move };
      const decided = decideEditMessage(found.message, request, facts);
      if (decided.move === null) throw failure('nothingToChange');
      return decided.move;
    });
  }

  /** An edit stands in the stream of the message and says which move is to follow. */
  private async edit({ caller, messageId, request }: EditMessage): Promise<EditOutcome> {
    const placed = await this.changes.place(caller, messageId);
    const move = await this.moves.factsFor(placed, request);
    const target = { messageId, newText: request.content, placed };
    const appended = await this.changes.apply(caller, target, (message, { actor: editor, ...facts }) => {
      const { edit } = decideEditMessage(message, request, { ...facts, editor, sha256, move });
      return edit === null ? [] : [edit];
    });
    for (const event of appended) if (event.type === 'MessageEdited') await this.moves.finish(event);
    const detached = placed.place.uploadIds;
    return { detachedUploads: await this.uploadAccess.unreferenced(detached, caller.userId) };
  }
}
