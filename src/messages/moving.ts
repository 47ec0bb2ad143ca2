import type { Channel } from '../channels/channel.js';
import { mayCreateTopic } from '../directory/channel-permissions.js';
import { mayMoveWithinChannel, mayResolveTopics } from '../directory/message-permissions.js';
import type { Moment } from '../directory/moment.js';
import { failure } from '../kernel/errors.js';
import { isModerator } from '../users/roles.js';
import type { User } from '../users/user.js';
import type { MessageDocument } from './message-document.js';
import type { MoveEvent, MoveSelection, PropagationMode } from './move-events.js';
import { refuseTopic } from './recipients.js';
import {
  emptyTopicDisplayName,
  fitTopic,
  isResolvedTopic,
  refuseUnprintable,
  resolvedPrefix,
  standardTopic,
} from './text.js';

/** What a request asks of the place of messages (specification, PATCH /messages/{message_id}). */
export interface MoveRequest {
  /** As it was sent; undefined: it stays. */
  readonly topic: string | undefined;
  readonly mode: PropagationMode;
  readonly notify: { readonly oldThread: boolean; readonly newThread: boolean };
}

/** What becomes of a topic: a mark put on or taken away, or another name. */
export type MoveKind = 'resolve' | 'unresolve' | 'move';

/** What a request comes to where the message lies now. */
export interface IntendedMove {
  readonly kind: MoveKind;
  /** Not cut yet. */
  readonly topic: string;
}

/** Where the message that a request names lies. */
export type MovedPlace = Pick<MessageDocument, '_id' | 'channelId' | 'topic' | 'timestamp'>;

/** How much of a topic is recent enough to be moved, of what the caller can see. */
export interface MovableMessages {
  readonly total: number;
  readonly allowed: number;
  /** The oldest of them; null when there is none. */
  readonly firstAllowedId: number | null;
}

/** What the decision to move depends on beside the request. */
export interface MoveFacts {
  readonly moment: Moment;
  readonly actor: User;
  readonly place: MovedPlace;
  /** Stretches of the channel's messages that the caller can see; null: all. */
  readonly visible: MoveSelection['visible'];
  /** Whether nothing was said yet where the messages go. */
  readonly isNewTopic: boolean;
  /** Of the whole topic, within {@link moveLimit}; null where that does not matter. */
  readonly movable: MovableMessages | null;
}

/** Clients may be a little late. */
export const graceSeconds = 20;

/** Null: the place stays as it is. A topic that differs in nothing counts as not sent. */
export function intendedMove(
  { topic }: Pick<MoveRequest, 'topic'>,
  place: Pick<MovedPlace, 'topic'>,
): IntendedMove | null {
  if (topic === undefined) return null;
  const wanted = standardTopic(topic);
  const present = place.topic ?? '';
  if (place.topic !== null && (wanted === present || fitTopic(wanted) === present)) return null;
  return { kind: kindOf(present, wanted), topic: wanted };
}

/** Facts, section 2: the mark is put before the exact topic, and taken away with all the marks that stand there. */
function kindOf(present: string, wanted: string): MoveKind {
  const [was, is] = [isResolvedTopic(present), isResolvedTopic(wanted)];
  if (!was && wanted === `${resolvedPrefix}${present}`) return 'resolve';
  if (was && !is && present.replace(/^[✔ ]+/u, '') === wanted) return 'unresolve';
  return 'move';
}

/**
 * Requests that make no sense, whoever sends them (facts, section 2, step 4).
 *
 * @throws ApplicationError
 */
export function refuseImpossibleMove(
  intended: IntendedMove | null,
  { mode }: Pick<MoveRequest, 'mode'>,
  place: Pick<MovedPlace, 'channelId'>,
): void {
  if (intended !== null && place.channelId === null) {
    throw failure('badRequest', { reason: 'Direct messages cannot be moved to channels.' });
  }
  if (intended === null) {
    if (mode === 'change_one') return;
    throw failure('badRequest', { reason: 'Invalid propagate_mode without topic edit' });
  }
  const mark = resolvedPrefix.trim();
  if (intended.topic === mark || intended.topic === `${mark} ${emptyTopicDisplayName}`) {
    throw failure('badRequest', { reason: 'General chat cannot be marked as resolved' });
  }
  refuseUnprintable(intended.topic);
}

/**
 * How old a message may be to be moved by this person, in seconds; null: however old. Moderators are free of limits, and
 * marks have none.
 */
export function moveLimit({ kind }: IntendedMove, { directory }: Moment, actor: User): number | null {
  if (kind !== 'move' || isModerator(actor)) return null;
  const limit = directory.organization?.settings.move_messages_within_stream_limit_seconds ?? null;
  return limit === null ? null : limit + graceSeconds;
}

/**
 * Whether a person may move what they ask to move; the checks come in the order of facts, section 2, from step 6 on.
 *
 * @throws ApplicationError when they may not
 */
export function decideMove(intended: IntendedMove, request: MoveRequest, facts: MoveFacts): MoveEvent {
  const { moment, actor, place } = facts;
  const channel = place.channelId === null ? null : moment.directory.channel(place.channelId);
  if (channel === null) throw failure('invalidMessage');
  const topic = fitTopic(intended.topic);
  refuseTopic(channel, topic, moment);
  refusePermission(intended, channel, facts);
  if (request.mode !== 'change_all') refuseAge(intended, facts);
  else refuseMovingAll(facts);
  if (facts.isNewTopic && !mayCreateTopic(moment, actor, channel)) {
    throw failure('badRequest', {
      reason: 'You do not have permission to create new topics in this channel.',
    });
  }
  return eventOf({ ...intended, topic }, request, facts);
}

function refusePermission({ kind }: IntendedMove, channel: Channel, { moment, actor }: MoveFacts): void {
  if (kind === 'move') {
    if (mayMoveWithinChannel(moment, actor, channel)) return;
    throw failure('badRequest', { reason: "You don't have permission to edit this message's topic" });
  }
  if (!mayResolveTopics(moment, actor, channel)) {
    throw failure('badRequest', { reason: "You don't have permission to resolve topics" });
  }
}

function refuseAge(intended: IntendedMove, { moment, actor, place }: MoveFacts): void {
  const limit = moveLimit(intended, moment, actor);
  if (limit !== null && moment.now / 1000 - place.timestamp > limit) {
    throw failure('badRequest', { reason: 'The time limit for moving this message has passed' });
  }
}

/** Of a topic that is partly too old, clients are told how much they may move. */
function refuseMovingAll({ movable }: MoveFacts): void {
  if (movable === null || movable.allowed === movable.total) return;
  const { total, allowed, firstAllowedId } = movable;
  if (allowed === 0) {
    throw failure('badRequest', { reason: 'The time limit for moving these messages has passed' });
  }
  throw failure('moveTimeLimitExceeded', {
    first_message_id_allowed_to_move: firstAllowedId,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: allowed,
  });
}

function eventOf({ kind, topic }: IntendedMove, { mode, notify }: MoveRequest, facts: MoveFacts): MoveEvent {
  const { _id: messageId, channelId, topic: oldTopic } = facts.place;
  const movement = {
    messageId,
    mode,
    selection: {
      channelId: channelId ?? 0,
      topic: oldTopic ?? '',
      bounds: boundsOf(mode, messageId),
      visible: facts.visible,
    },
    newTopic: topic,
  };
  switch (kind) {
    case 'resolve':
      return { type: 'TopicResolved', data: movement };
    case 'unresolve':
      return { type: 'TopicUnresolved', data: movement };
    case 'move':
      return { type: 'MessagesMoved', data: { ...movement, notify } };
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
