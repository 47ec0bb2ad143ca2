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
  readonly messages: readonly PastMessage[];
  readonly older: number | null;
  readonly newer: number | null;
}

export interface ConversationChange {
  readonly position: number;
  readonly time: number;
  readonly kind: 'sent' | 'edited' | 'deleted' | 'reacted' | 'submessage' | 'left' | 'came';
  readonly message_id: number;
  readonly count: number;
}

export interface ConversationChanges {
  readonly changes: readonly ConversationChange[];
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

/** A short description of a change. */
export function deedOf({ kind, count }: ConversationChange): string {
  switch (kind) {
    case 'sent':
      return 'a message was sent';
    case 'edited':
      return 'a message was edited';
    case 'deleted':
      return 'a message was deleted';
    case 'reacted':
      return 'somebody reacted, or took it back';
    case 'submessage':
      return 'somebody took part in a poll or a list';
    case 'left':
      return count === 1 ? 'a message was moved' : `${count} messages were moved`;
    case 'came':
      return count === 1 ? 'a message was moved here' : `${count} messages were moved here`;
  }
}
