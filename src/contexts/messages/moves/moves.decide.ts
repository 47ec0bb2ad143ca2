import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../kernel/api-constants.js';
import type { Channel } from '../../../access/records/channel.js';
import { hasContentAccess, mayCreateTopic, maySendTo } from '../../../access/channel-permissions.js';
import {
  mayMoveOutOfChannel,
  mayMoveWithinChannel,
  mayResolveTopics,
} from '../../../access/message-permissions.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { isModerator } from '../../../access/records/roles.js';
import type { User } from '../../../access/records/user.js';
import { visibilityAfterMove } from '../placements.js';
import type { MoveEvent, MoveSelection, PropagationMode } from '../../../events/message-moves.js';
import { refuseTopic } from '../sending/recipients.js';
import { refuseUnprintable, RESOLVED_PREFIX } from '../../../events/values/message-text.js';
import { type MoveRequest, type IntendedMove, type MovedPlace, newTopicOf } from './intended-move.js';

/** The messages of a topic that the caller can see and that are recent enough to be moved. */
export interface MovableMessages {
  readonly total: number;
  readonly allowed: number;
  /** Id of the oldest of them; null when there is none. */
  readonly firstAllowedId: number | null;
}

/** What the decision to move depends on beside the request. */
export interface MoveFacts {
  readonly snapshot: Snapshot;
  readonly actor: User;
  readonly place: MovedPlace;
  /** Revision of the stream of the target channel; -1: it has none, or the messages stay in their channel. */
  readonly targetRevision: number;
  /** Id ranges of the channel's messages that the caller can see; null: all. */
  readonly visible: MoveSelection['visible'];
  /** The most moves that a message among those to be moved is known to have had. */
  readonly earlierMoves: number;
  /** Whether no message exists where the messages go. */
  readonly isNewTopic: boolean;
  /** Of the whole topic, within {@link moveLimit}; null where the decision does not need it. */
  readonly movable: MovableMessages | null;
}

/** Tolerance for clients that send the request a little late. */
export const GRACE_SECONDS = 20;

/**
 * Refuses requests that are contradictory whoever sends them.
 *
 * @throws ApplicationError
 */
export function refuseImpossibleMove(
  intended: IntendedMove | null,
  { mode }: Pick<MoveRequest, 'mode'>,
  place: Pick<MovedPlace, 'channelId'>,
): void {
  if (intended !== null && place.channelId === null) {
    throw failure('directMessagesNotMovable');
  }
  if (intended === null) {
    if (mode === 'change_one') return;
    throw failure('propagateModeWithoutMove');
  }
  const { topic } = intended;
  if (topic === null) return;
  const mark = RESOLVED_PREFIX.trim();
  if (topic === mark || topic === `${mark} ${EMPTY_TOPIC_DISPLAY_NAME}`) {
    throw failure('generalChatNotResolvable');
  }
  refuseUnprintable(topic);
}

/**
 * The maximum age, in seconds, of messages that this person may move; null: no limit. Moderators have no
 * limit, and resolving a topic has none.
 */
export function moveLimit(
  { kind, topic, channelId }: IntendedMove,
  { directory }: Snapshot,
  actor: User,
): number | null {
  const settings = directory.organization?.settings;
  if (isModerator(actor) || settings === undefined) return null;
  const limits = [
    topic !== null && kind === 'move' ? settings.move_messages_within_stream_limit_seconds : null,
    channelId !== null ? settings.move_messages_between_streams_limit_seconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits) + GRACE_SECONDS;
}

/** The channels that messages are moved from and to. */
interface MoveChannels {
  readonly source: Channel;
  readonly target: Channel;
}

/**
 * Checks that the target channel exists and that the person may use the requested topic.
 *
 * @throws ApplicationError when they may not
 */
export function allowTopic(intended: IntendedMove, request: MoveRequest, facts: MoveFacts): MoveChannels {
  const { snapshot, place } = facts;
  const source = place.channelId === null ? null : snapshot.directory.channel(place.channelId);
  if (source === null) throw failure('invalidMessage');
  const target = intended.channelId === null ? source : accessibleChannel(intended.channelId, facts);
  refuseTopic(target, newTopicOf(intended, place), snapshot);
  if (intended.topic !== null) {
    refuseOtherTopic(intended, source, facts);
    if (request.mode !== 'change_all') refuseAge({ ...intended, channelId: null }, facts);
  }
  return { source, target };
}

/**
 * Decides about the move after {@link allowTopic}: whether the person may move these messages, by age and by
 * permissions, and whether they may be moved once more.
 *
 * @throws ApplicationError when they may not
 */
export function decideMove(
  intended: IntendedMove,
  request: MoveRequest,
  facts: MoveFacts & MoveChannels,
): MoveEvent {
  const { snapshot, actor, source, target } = facts;
  if (intended.channelId !== null) {
    refuseOtherChannel(source, target, facts);
    if (request.mode !== 'change_all') refuseAge({ ...intended, topic: null }, facts);
  }
  if (request.mode === 'change_all') refuseMovingAll(facts);
  if (beginsTopic(intended, facts) && !mayCreateTopic(snapshot, actor, target)) {
    throw failure('newTopicNotAllowed');
  }
  if (facts.earlierMoves >= budgets.movesOfMessage.max) throw failure('tooManyMoves');
  return eventOf(intended, request, facts);
}

/** Resolving or unresolving a topic within its channel does not begin a new topic. */
function beginsTopic(
  { kind, channelId }: IntendedMove,
  { isNewTopic }: Pick<MoveFacts, 'isNewTopic'>,
): boolean {
  return isNewTopic && (kind === 'move' || channelId !== null);
}

function accessibleChannel(channelId: number, { snapshot, actor }: MoveFacts): Channel {
  const channel = snapshot.directory.channel(channelId);
  if (channel === null || channel.isArchived || !hasContentAccess(snapshot, actor, channel)) {
    throw failure('invalidChannel');
  }
  return channel;
}

function refuseOtherTopic(
  { kind, channelId }: IntendedMove,
  channel: Channel,
  { snapshot, actor }: MoveFacts,
): void {
  if (kind !== 'move') {
    if (mayResolveTopics(snapshot, actor, channel)) return;
    throw failure('resolvingNotAllowed');
  }
  if (mayMoveWithinChannel(snapshot, actor, channel)) return;
  if (channelId !== null && mayMoveOutOfChannel(snapshot, actor, channel)) return;
  throw failure('topicEditNotAllowed');
}

function refuseOtherChannel(source: Channel, target: Channel, { snapshot, actor }: MoveFacts): void {
  if (!mayMoveOutOfChannel(snapshot, actor, source)) {
    throw failure('moveNotAllowed');
  }
  if (!maySendTo(snapshot, actor, target)) {
    throw failure('channelPostNotAllowed', { reason: target.name });
  }
}

function refuseAge(intended: IntendedMove, { snapshot, actor, place }: MoveFacts): void {
  const limit = moveLimit(intended, snapshot, actor);
  if (limit !== null && snapshot.now / 1000 - place.timestamp > limit) {
    throw failure('moveTimeLimitPassed');
  }
}

/** Where a topic is partly too old, the error says how many of its messages may be moved. */
function refuseMovingAll({ movable }: MoveFacts): void {
  if (movable === null || movable.allowed === movable.total) return;
  const { total, allowed, firstAllowedId } = movable;
  if (allowed === 0) {
    throw failure('moveManyTimeLimitPassed');
  }
  throw failure('moveTimeLimitExceeded', {
    first_message_id_allowed_to_move: firstAllowedId,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: allowed,
  });
}

function eventOf(
  intended: IntendedMove,
  { mode, notify }: MoveRequest,
  { place, visible, target, targetRevision }: MoveFacts & MoveChannels,
): MoveEvent {
  const { _id: messageId, channelId, topic } = place;
  const bounds = boundsOf(mode, messageId);
  const selection = { channelId: channelId ?? 0, topic: topic ?? '', bounds, visible };
  const movement = { messageId, mode, selection, newTopic: newTopicOf(intended, place) };
  if (intended.channelId !== null) {
    const reception = visibilityAfterMove(target.privacy, targetRevision);
    const newChannel = { channelId: target.id, reception };
    return { type: 'MessagesMoved', data: { ...movement, newChannel, notify } };
  }
  switch (intended.kind) {
    case 'resolve':
      return { type: 'TopicResolved', data: movement };
    case 'unresolve':
      return { type: 'TopicUnresolved', data: movement };
    case 'move':
      return { type: 'MessagesMoved', data: { ...movement, newChannel: null, notify } };
  }
}

function boundsOf(mode: PropagationMode, messageId: number): MoveSelection['bounds'] {
  switch (mode) {
    case 'change_one':
      return { after: messageId - 1, through: messageId };
    case 'change_later':
      return { after: messageId - 1, through: null };
    case 'change_all':
      return { after: 0, through: null };
  }
}
