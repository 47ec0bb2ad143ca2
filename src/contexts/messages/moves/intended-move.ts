import type { MessageDocument } from '../message-document.js';
import type { PropagationMode } from '../../../events/message-moves.js';
import {
  fitTopic,
  isResolvedTopic,
  RESOLVED_PREFIX,
  standardTopic,
} from '../../../events/values/message-text.js';

/** What a request changes about the place of messages (`PATCH /messages/{message_id}`). */
export interface MoveRequest {
  /** As the client sent it; undefined: no change. */
  readonly topic: string | undefined;
  /** Undefined: no change. */
  readonly channelId: number | undefined;
  readonly mode: PropagationMode;
  readonly notify: { readonly oldThread: boolean; readonly newThread: boolean };
}

/** The kinds of moves: resolving or unresolving a topic, or another topic or channel. */
type MoveKind = 'resolve' | 'unresolve' | 'move';

/** The change that a request makes to the present place of the message. */
export interface IntendedMove {
  readonly kind: MoveKind;
  /** Null: the topic does not change. Not yet cut to the maximum length. */
  readonly topic: string | null;
  /** Null: the channel does not change. */
  readonly channelId: number | null;
}

/** Where the message that the request names lies. */
export type MovedPlace = Pick<MessageDocument, '_id' | 'channelId' | 'topic' | 'timestamp'>;

/** Null: the request does not change the place. An unchanged topic or channel counts as not sent. */
export function intendedMove(
  request: Pick<MoveRequest, 'topic' | 'channelId'>,
  place: Pick<MovedPlace, 'channelId' | 'topic'>,
): IntendedMove | null {
  const channelId = request.channelId === place.channelId ? null : (request.channelId ?? null);
  const topic = otherTopic(request.topic, place.topic);
  if (topic === null && channelId === null) return null;
  return { kind: topic === null ? 'move' : kindOf(place.topic ?? '', topic), topic, channelId };
}

function otherTopic(sent: string | undefined, present: string | null): string | null {
  if (sent === undefined) return null;
  const topic = standardTopic(sent);
  return topic === present || fitTopic(topic) === present ? null : topic;
}

/** The topic that the messages get. */
export function newTopicOf({ topic }: IntendedMove, place: Pick<MovedPlace, 'topic'>): string {
  return topic === null ? (place.topic ?? '') : fitTopic(topic);
}

/** Resolving puts the mark before the exact topic; unresolving removes every mark at its beginning. */
function kindOf(present: string, wanted: string): MoveKind {
  const [was, is] = [isResolvedTopic(present), isResolvedTopic(wanted)];
  if (!was && wanted === `${RESOLVED_PREFIX}${present}`) return 'resolve';
  if (was && !is && present.replace(/^[✔ ]+/u, '') === wanted) return 'unresolve';
  return 'move';
}
