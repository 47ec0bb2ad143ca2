import { stream } from '../../kernel/stream.js';
import { outgoingWebhooksStream } from '../../events/outgoing-webhooks.js';
import type { OutgoingWebhookEvent, webhookTriggers } from '../../events/outgoing-webhooks.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';

/** A message that is to be sent to where a bot is. */
export interface Call {
  /** Id of the event that asked for it: the same however often it is sent. */
  readonly id: string;
  readonly messageId: number;
  readonly botId: number;
  readonly trigger: (typeof webhookTriggers)[number];
  /** How often nobody answered. */
  readonly unanswered: number;
  /** Milliseconds since the UNIX epoch. */
  readonly requestedAt: number;
  /** It is not sent again before: milliseconds since the UNIX epoch. */
  readonly notBefore: number;
}

/** So often a call is sent again that nobody answered. */
export const maxRetries = 3;

/** Milliseconds until the first of them; each pause is twice the one before. */
const firstPause = 1_000;

/** Calls that are yet to come to something, by {@link callKey}. */
export type Calls = PersistentMap<string, Call>;

/** Names a call. */
export function callKey({ messageId, botId }: Pick<Call, 'messageId' | 'botId'>): string {
  return `${messageId}:${botId}`;
}

/** How the calls follow from their stream. */
export const callsFold: Fold<Calls, RecordedEvent<OutgoingWebhookEvent>> = {
  snapshot: { name: 'outgoing-webhooks', version: 1 },
  initial: PersistentMap.empty(),
  evolve(calls, { id, type, data, metadata: { at } }) {
    const key = callKey(data);
    switch (type) {
      case 'OutgoingWebhookRequested':
        return calls.set(key, { id, ...data, unanswered: 0, requestedAt: at, notBefore: at });
      case 'OutgoingWebhookUnanswered': {
        const call = calls.get(key);
        if (call === undefined) return calls;
        const notBefore = at + firstPause * 2 ** call.unanswered;
        return calls.set(key, { ...call, unanswered: call.unanswered + 1, notBefore });
      }
      case 'OutgoingWebhookAnswered':
      case 'OutgoingWebhookFailed':
        return calls.delete(key);
    }
  },
};

/** The stream of the calls, for decisions about them. */
export const foldedCalls = stream(outgoingWebhooksStream, callsFold);

/** Calls that may be sent now, oldest first. */
export function dueCalls(calls: Calls, now: number): readonly Call[] {
  return [...calls.entries()]
    .map(([, call]) => call)
    .filter(({ notBefore }) => notBefore <= now)
    .sort((one, other) => one.messageId - other.messageId || one.botId - other.botId);
}
