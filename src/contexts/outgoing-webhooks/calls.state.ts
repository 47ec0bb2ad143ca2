import { stream } from '../../kernel/decision.js';
import {
  OUTGOING_WEBHOOKS_STREAM,
  type OutgoingWebhookEvent,
  type webhookTriggers,
} from '../../events/outgoing-webhooks.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';

/** A message that is to be sent to a bot's URL. */
export interface Call {
  /** Id of the event that requested it: the same for every attempt. */
  readonly id: string;
  readonly messageId: number;
  readonly botId: number;
  readonly trigger: (typeof webhookTriggers)[number];
  /** How many attempts got no response. */
  readonly unanswered: number;
  /** Milliseconds since the UNIX epoch. */
  readonly requestedAt: number;
  /** Time before which it is not sent again, in milliseconds since the UNIX epoch. */
  readonly notBefore: number;
}

/** How often a call without a response is retried. */
export const MAX_RETRIES = 3;

/** Milliseconds before the first retry; each pause is twice the one before. */
const FIRST_PAUSE = 1_000;

/** Open calls of each bot that has any, in the order in which they were requested. */
export type Calls = PersistentMap<number, readonly Call[]>;

/** Folds the stream of calls. */
export const callsFold: Fold<Calls, RecordedEvent<OutgoingWebhookEvent>> = {
  snapshot: { name: 'outgoing-webhooks', version: 2 },
  initial: PersistentMap.empty(),
  evolve(calls, { id, type, data, metadata: { at } }) {
    const { messageId, botId } = data;
    const own = calls.get(botId) ?? [];
    const others = own.filter((call) => call.messageId !== messageId);
    switch (type) {
      case 'OutgoingWebhookRequested': {
        const call = { id, ...data, unanswered: 0, requestedAt: at, notBefore: at };
        return calls.set(botId, [...others, call]);
      }
      case 'OutgoingWebhookUnanswered':
        if (others.length === own.length) return calls;
        return calls.set(
          botId,
          own.map((call) => (call.messageId === messageId ? unansweredAt(at, call) : call)),
        );
      case 'OutgoingWebhookAnswered':
      case 'OutgoingWebhookFailed':
        if (others.length === own.length) return calls;
        return others.length === 0 ? calls.delete(botId) : calls.set(botId, others);
    }
  },
};

function unansweredAt(at: number, call: Call): Call {
  const notBefore = at + FIRST_PAUSE * 2 ** call.unanswered;
  return { ...call, unanswered: call.unanswered + 1, notBefore };
}

/** The stream of the calls, for decisions about them. */
export const foldedCalls = stream(OUTGOING_WEBHOOKS_STREAM, callsFold);

/** The open call of a message to a bot. */
export function openCall(
  calls: Calls,
  { messageId, botId }: Pick<Call, 'messageId' | 'botId'>,
): Call | undefined {
  return calls.get(botId)?.find((call) => call.messageId === messageId);
}

/** The oldest call of each bot that may be sent now, in no particular order. */
export function dueCalls(calls: Calls, now: number): readonly Call[] {
  const due: Call[] = [];
  for (const own of calls.values()) {
    const next = own.find(({ notBefore }) => notBefore <= now);
    if (next !== undefined) due.push(next);
  }
  return due;
}
