import type { ClientCapabilities } from './client-capabilities.js';
import type { NarrowFilter } from './narrow-filter.js';

/** Which presence a client asks for when it registers. */
export interface RequestedPresence {
  /** By account id and with two times, rather than by address and program. */
  readonly isSlim: boolean;
  /** Only what changed after this update; null: everything. */
  readonly afterUpdateId: number | null;
  /** How many days back; null: as far as there is any. */
  readonly days: number | null;
}

/** In which form, and which of, the events a client wants (facts of the events, section 1). */
export interface QueueOptions {
  /** HTML rather than raw Markdown. */
  readonly applyMarkdown: boolean;
  /** Leave avatars that follow from the address for the client to compute. */
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** Which presence the initial state has. */
  readonly presence: RequestedPresence;
  /** Whether subscriptions and channels come with their subscribers. */
  readonly includeSubscribers: 'true' | 'false' | 'partial';
  /** Also messages of public channels that the person is not subscribed to. */
  readonly allPublicChannels: boolean;
  /** Null: every type. */
  readonly eventTypes: ReadonlySet<string> | null;
  /** Which messages; other events pass it by. */
  readonly narrow: NarrowFilter;
  readonly capabilities: ClientCapabilities;
  /** Whether the client that registered knows older names alone: see {@link inOlderNames}. */
  readonly usesOlderNames: boolean;
  /** How long the queue lives without being asked, in seconds. */
  readonly idleSeconds: number;
  /** What the queue takes for them while it lives. */
  readonly bytes: number;
}

/** Comes in a held poll's place when nothing happens, whatever types the client asked for. */
export const heartbeat = 'heartbeat';

/** Whether a queue is to get events of a type. */
export function wants({ eventTypes }: Pick<QueueOptions, 'eventTypes'>, type: string): boolean {
  return eventTypes === null || eventTypes.has(type);
}

/** Whether a client knows the empty topic, as {@link shownTopic} asks. */
export function topicFormat({ capabilities }: Pick<QueueOptions, 'capabilities'>): {
  readonly allowEmptyTopicName: boolean;
} {
  return { allowEmptyTopicName: capabilities.empty_topic_name };
}
