import type { Snapshot } from '../../access/snapshot.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { User } from '../../access/records/user.js';
import { composeText, type ComposedText } from './sending/compose-text.js';
import type { MessageEdited } from '../../events/messages.js';
import type { MoveEvent } from '../../events/message-moves.js';
import {
  allowTopic,
  decideMove,
  GRACE_SECONDS,
  refuseImpossibleMove,
  type MoveFacts,
} from './moves/moves.decide.js';
import { intendedMove, type IntendedMove, type MovedPlace, type MoveRequest } from './moves/intended-move.js';
import type { Message } from './message.state.js';
import { knowsEveryone, type Knows } from '../../access/known-people.js';
import { normalizeContent } from '../../events/values/message-text.js';

/** The parameters of a request to edit a message. */
export interface EditRequest extends MoveRequest {
  /** Undefined: the text does not change. */
  readonly content: string | undefined;
  /** The SHA-256 of the text that the client believes the message has; undefined: the client does not say. */
  readonly previousContentSha256: string | undefined;
}

/** A request that replaces the text of a message, and may move it. */
export type TextEditRequest = EditRequest & { readonly content: string };

/** What the decision to edit depends on beside the message. */
export interface EditFacts {
  readonly snapshot: Snapshot;
  readonly editor: User;
  /** Where the message lies now. */
  readonly place: MovedPlace;
  /**
   * Ids of the people who wrote or reacted in the topic so far; empty where the new text does not mention a
   * whole topic.
   */
  readonly topicParticipantIds: readonly number[];
  /** The uploads that the new text names: see `ComposingContext`. */
  readonly uploads: ReadonlyMap<string, number>;
  /** The topics that the new text links to: see `ComposingContext`. */
  readonly topicMessages?: ReadonlyMap<string, number>;
  /** Whom the editor may know: see `ComposingContext`. */
  readonly knows?: Knows;
  /** Hexadecimal SHA-256 of a text. */
  readonly sha256: (text: string) => string;
  /** Facts about the requested move; null where the request changes nothing about the place. */
  readonly move: MoveFacts | null;
}

/** Replaces a text that was emptied by an edit. */
const EMPTIED_TEXT = '(deleted)';

/** The facts about the message that a move without an edit depends on. */
export interface MessageToMove {
  readonly isDeleted: boolean;
  /** Null where the request does not say which text the client believes is there. */
  readonly content: string | null;
}

/**
 * Decides about a new text of a message. Only its sender may edit a message, within the organization's time limit;
 * who may move it is decided separately. The order of the checks decides which error a client gets.
 *
 * @returns the edit, with the move that is to follow
 * @throws ApplicationError when the caller may not, or when the text is not the one that the client believes
 * is there
 */
export function decideEditMessage(
  message: Message,
  request: TextEditRequest,
  facts: EditFacts,
): EventOf<typeof MessageEdited> {
  const { snapshot, editor, place } = facts;
  refuseEditing(message, editor, snapshot);
  const intended = intendedMove(request, place);
  refuseImpossibleMove(intended, request, place);
  if (intended !== null && intended.channelId !== null) throw failure('contentAndChannelChanged');
  if (message.submessages.count > 0) throw failure('widgetNotEditable');
  if (message.edits >= budgets.editsOfMessage.max) throw failure('tooManyEdits');
  refuseOtherText(message, request, facts);
  const allowed = allowedMove(intended, request, facts);
  const composed = compose(message, request.content, facts);
  return editOf(message, composed, allowed?.() ?? null);
}

/**
 * Moves a message, and others with it, without an edit.
 *
 * @throws ApplicationError as {@link decideEditMessage} does, and `nothingToChange`
 */
export function decideMoveMessage(
  message: MessageToMove,
  request: EditRequest,
  facts: Pick<EditFacts, 'place' | 'sha256' | 'move'>,
): MoveEvent {
  if (message.isDeleted) throw failure('invalidMessage');
  const intended = intendedMove(request, facts.place);
  if (intended === null) throw failure('nothingToChange');
  refuseImpossibleMove(intended, request, facts.place);
  refuseOtherText(message, request, facts);
  const allowed = allowedMove(intended, request, facts);
  if (allowed === null) throw failure('nothingToChange');
  return allowed();
}

/**
 * Decides about the move after checking that the caller may write to its target; null where no move is
 * requested.
 */
function allowedMove(
  intended: IntendedMove | null,
  request: EditRequest,
  { move }: Pick<EditFacts, 'move'>,
): (() => MoveEvent) | null {
  if (intended === null || move === null) return null;
  const channels = allowTopic(intended, request, move);
  return () => decideMove(intended, request, { ...move, ...channels });
}

function compose(
  { recipient }: Message,
  content: string,
  {
    snapshot,
    editor: sender,
    topicParticipantIds,
    uploads,
    topicMessages = new Map(),
    knows = knowsEveryone,
  }: EditFacts,
): ComposedText {
  const text = normalizeContent(content) || EMPTIED_TEXT;
  const context = { snapshot, sender, recipient, topicParticipantIds, uploads, topicMessages, knows };
  return composeText(text, context);
}

function editOf(
  { id, senderId, key }: Message,
  composed: ComposedText,
  move: MoveEvent | null,
): EventOf<typeof MessageEdited> {
  return { type: 'MessageEdited', data: { messageId: id, senderId, messageKey: key, ...composed, move } };
}

function refuseOtherText(
  { content }: Pick<MessageToMove, 'content'>,
  { previousContentSha256 }: EditRequest,
  { sha256 }: Pick<EditFacts, 'sha256'>,
): void {
  if (previousContentSha256 === undefined) return;
  if (content !== null && previousContentSha256.toLowerCase() === sha256(content)) return;
  throw failure('expectationMismatch', { field_name: 'prev_content_sha256' });
}

/**
 * Refuses edits by anyone but the sender, and edits that the organization does not allow.
 *
 * @throws ApplicationError `invalidMessage` for a deleted message, `editingTurnedOff`, `editNotAllowed`,
 * `editTimeLimitPassed`
 */
export function refuseEditing(
  { senderId, sentAt, isDeleted }: Pick<Message, 'senderId' | 'sentAt' | 'isDeleted'>,
  editor: User,
  { directory, now }: Snapshot,
): void {
  if (isDeleted) throw failure('invalidMessage');
  const settings = directory.organization?.settings;
  if (settings?.allow_message_editing !== true) {
    throw failure('editingTurnedOff');
  }
  if (senderId !== editor.id) {
    throw failure('editNotAllowed');
  }
  const limit = settings.message_content_edit_limit_seconds;
  if (limit !== null && now - sentAt > (limit + GRACE_SECONDS) * 1000) {
    throw failure('editTimeLimitPassed');
  }
}
