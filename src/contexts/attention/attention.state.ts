import { streamsOf } from '../../kernel/stream.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { foldCase } from '../../kernel/text.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { visibilityPolicies, type AttentionEvent, type VisibilityPolicy } from '../../events/attention.js';

/** How much a person wants to hear of one topic. */
export type TopicVisibility = {
  readonly channelId: number;
  readonly topic: string;
  /** What topics are compared by. */
  readonly topicKey: string;
  readonly policy: VisibilityPolicy;
  /** Milliseconds since the UNIX epoch. */
  readonly changedAt: number;
};

/** What a person wants to hear of, and what not. */
export type Attention = {
  /** The topics of which they said so, in the order in which they did. */
  readonly topics: readonly TopicVisibility[];
  readonly mutedPeople: readonly {
    readonly userId: number;
    /** Milliseconds since the UNIX epoch. */
    readonly since: number;
  }[];
  /** In the order in which they were added. */
  readonly alertWords: readonly string[];
};

/** Of who never said what they want to hear of. */
export const noAttention: Attention = { topics: [], mutedPeople: [], alertWords: [] };

/** Name of the stream that holds what concerns one person alone. */
export function attentionStream(userId: number): string {
  return `user-${userId}`;
}

/** The stream holds other events too, which change nothing here. */
export const attentionFold: Fold<Attention, RecordedEvent<AttentionEvent>> = {
  snapshot: { name: 'attention', version: 1 },
  initial: noAttention,
  evolve: evolveAttention,
};

/** What a person wants to hear of, for decisions about it. */
export const attentionOf = streamsOf(attentionStream, attentionFold);

/** What a person wants to hear of, with what was made of it because of other events. */
export interface AutomaticAttention {
  readonly attention: Attention;
  /** Ids of the events that were followed up. */
  readonly completed: PersistentMap<string, true>;
}

/** As {@link attentionFold}, for whoever follows other events up and must do so once. */
export const automaticAttentionFold: Fold<AutomaticAttention, RecordedEvent<AttentionEvent>> = {
  snapshot: { name: 'automatic-attention', version: 1 },
  initial: { attention: noAttention, completed: PersistentMap.empty() },
  evolve: ({ attention, completed }, event) => {
    const { causationId } = event.metadata;
    return {
      attention: evolveAttention(attention, event),
      completed: causationId === null ? completed : completed.set(causationId, true),
    };
  },
};

/** The same, for decisions about it. */
export const automaticAttentionOf = streamsOf(attentionStream, automaticAttentionFold);

/** What the event makes of what a person wants to hear of. Pure. */
export function evolveAttention(attention: Attention, event: RecordedEvent<AttentionEvent>): Attention {
  const { topics, mutedPeople, alertWords } = attention;
  switch (event.type) {
    case 'TopicVisibilityChanged': {
      const { channelId, topic, policy } = event.data;
      const others = topics.filter((one) => !isTopic(one, channelId, topic));
      const changed = { channelId, topic, topicKey: foldCase(topic), policy, changedAt: event.metadata.at };
      return { ...attention, topics: policy === visibilityPolicies.none ? others : [...others, changed] };
    }
    case 'PersonMuted': {
      const muted = { userId: event.data.mutedUserId, since: event.metadata.at };
      return { ...attention, mutedPeople: [...mutedPeople, muted] };
    }
    case 'PersonUnmuted': {
      const left = mutedPeople.filter(({ userId }) => userId !== event.data.mutedUserId);
      return { ...attention, mutedPeople: left };
    }
    case 'AlertWordsAdded':
      return { ...attention, alertWords: [...alertWords, ...event.data.words] };
    case 'AlertWordsRemoved': {
      const removed = new Set(event.data.words.map(foldCase));
      return { ...attention, alertWords: alertWords.filter((word) => !removed.has(foldCase(word))) };
    }
    default:
      return attention;
  }
}

/** Whether a setting is that of a topic, whatever its case. */
export function isTopic(setting: TopicVisibility, channelId: number, topic: string): boolean {
  return setting.channelId === channelId && setting.topicKey === foldCase(topic);
}
