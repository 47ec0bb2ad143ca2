import { idsIn } from '../../components/named.js';
import type { TextChange } from '../../components/text-diff.js';

/** A past message: see `GET audit/conversation`. */
export interface PastMessage {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_name: string | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number | null;
  readonly topic: string | null;
  readonly content: string | null;
  readonly rendered_content: string | null;
  readonly erased: boolean;
  readonly edits: number;
  readonly reactions: readonly { readonly emoji_name: string; readonly user_ids: readonly number[] }[];
  readonly sight: 'received' | 'historical' | null;
  readonly since: { readonly edited: boolean; readonly moved: boolean; readonly deleted: boolean };
}

/** A position in the log, and its time in milliseconds since the UNIX epoch. */
export interface PastMoment {
  readonly position: number;
  readonly time: number;
}

export interface PastConversation {
  readonly as_of: PastMoment;
  readonly viewer: 'active' | 'deactivated' | 'absent' | null;
  readonly viewer_name: string | null;
  readonly messages: readonly PastMessage[];
  readonly older: number | null;
  readonly newer: number | null;
  readonly changes: ChangesAround;
}

/** The changes of a conversation around a moment. Null: there is no such change. */
export interface ChangesAround {
  /** The change that led to what is shown. */
  readonly current: ConversationChange | null;
  readonly before: ConversationChange | null;
  readonly next: ConversationChange | null;
  /** The first and the last change of all, between which the slider moves. */
  readonly first: ConversationChange | null;
  readonly last: ConversationChange | null;
}

export interface ConversationChange {
  readonly position: number;
  readonly time: number;
  readonly kind: 'sent' | 'edited' | 'deleted' | 'reacted' | 'submessage' | 'left' | 'came';
  /** Null: the server. */
  readonly actor_id: number | null;
  /** At that time; null: it is not known. */
  readonly actor_name: string | null;
  readonly message_id: number;
  readonly count: number;
}

export interface Difference {
  readonly kind: 'came' | 'went' | 'changed';
  readonly because: 'sent' | 'deleted' | 'moved' | 'permissions' | null;
  readonly before: PastMessage | null;
  readonly after: PastMessage | null;
  readonly text: readonly TextChange[] | null;
}

export interface Comparison {
  readonly from: PastMoment;
  readonly to: PastMoment;
  readonly differences: readonly Difference[];
  readonly unchanged: number;
  readonly after: number | null;
  readonly last_message_id: number;
}

/** The parts of the address that select a conversation. */
export interface Chosen {
  readonly channel: string;
  readonly topic: string;
  readonly people: string;
}

/** Parameters that select a conversation; null: none is selected. */
export function conversationOf({ channel, topic, people }: Chosen): Readonly<Record<string, unknown>> | null {
  if (/^\d+$/.test(channel)) return { channel_id: Number(channel), ...(topic !== '' && { topic }) };
  const ids = idsIn(people);
  return ids.length === 0 ? null : { user_ids: ids };
}

/** Who made a change, by name. */
export function actorOf({ actor_id: id, actor_name: name }: ConversationChange): string {
  if (id === null) return 'The server';
  return name ?? `Account ${id}`;
}

/** What was done to a message: the words before it, and those after it. */
export function actionOf({ kind }: ConversationChange): readonly [before: string, after: string] {
  switch (kind) {
    case 'sent':
      return ['sent', ''];
    case 'edited':
      return ['edited', ''];
    case 'deleted':
      return ['deleted', ''];
    case 'reacted':
      return ['reacted to', ', or took a reaction back'];
    case 'submessage':
      return ['took part in the poll or list of', ''];
    case 'left':
      return ['moved', ' away'];
    case 'came':
      return ['moved', ' here'];
  }
}

/** A change in a few words, such as “Ada Quill edited a message”. */
export function summaryOf(change: ConversationChange): string {
  const [before, after] = actionOf(change);
  return `${actorOf(change)} ${before} ${change.count === 1 ? 'a message' : `${change.count} messages`}${after}`;
}
