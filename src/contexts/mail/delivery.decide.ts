import { NOT_WANTED, type MailEvent } from '../../events/mail.js';
import type { Delivery } from './delivery.state.js';

/** The result of an attempt. `unwanted`: the e-mail is not needed any more. */
export type Outcome =
  | { readonly type: 'sent' }
  | { readonly type: 'unwanted' }
  | { readonly type: 'refused' | 'failed'; readonly reason: string };

/** When an e-mail was requested, and the present time: milliseconds since the UNIX epoch. */
interface DeliveryTime {
  readonly requestedAt: number;
  readonly now: number;
}

/** Pause after the first failure, in milliseconds. */
const FIRST_PAUSE = 1000;
const MAX_PAUSE = 3_600_000;

/** Milliseconds after which an e-mail is given up, because it would only confuse. */
const MAX_LIFE = 3 * 24 * 3_600_000;

/** Whether its own stream says that the e-mail is to be tried now. */
export function isDue(delivery: Delivery, now: number): boolean {
  return !delivery.isOver && delivery.notBefore <= now;
}

/** Pauses between attempts double, up to an hour; after three days the e-mail is given up. */
export function decideOutcome(
  delivery: Delivery,
  { letterId, outcome }: { readonly letterId: string; readonly outcome: Outcome },
  { requestedAt, now }: DeliveryTime,
): readonly MailEvent[] {
  if (delivery.isOver) return [];
  switch (outcome.type) {
    case 'sent':
      return [{ type: 'MailSent', data: { letterId } }];
    case 'unwanted':
      return [{ type: 'MailAbandoned', data: { letterId, reason: NOT_WANTED } }];
    case 'refused':
      return [{ type: 'MailAbandoned', data: { letterId, reason: outcome.reason } }];
    case 'failed': {
      const { reason } = outcome;
      if (now - requestedAt >= MAX_LIFE) return [{ type: 'MailAbandoned', data: { letterId, reason } }];
      const retryAt = now + Math.min(FIRST_PAUSE * 2 ** delivery.attempts, MAX_PAUSE);
      return [{ type: 'MailPostponed', data: { letterId, retryAt, reason } }];
    }
  }
}
