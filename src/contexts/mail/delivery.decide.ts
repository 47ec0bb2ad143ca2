import type { MailEvent } from '../../events/mail.js';
import type { Delivery } from './delivery.state.js';

/** What an attempt came to. `unwanted`: nobody is to be written to any more. */
export type Outcome =
  | { readonly type: 'sent' }
  | { readonly type: 'unwanted' }
  | { readonly type: 'refused' | 'failed'; readonly reason: string };

/** When an e-mail was asked for, and what time it is: milliseconds since the UNIX epoch. */
export interface DeliveryTime {
  readonly requestedAt: number;
  readonly now: number;
}

/** Milliseconds. */
const firstPause = 1000;
const maxPause = 3_600_000;

/** Milliseconds. An e-mail that could not be sent for so long would only confuse. */
const maxLife = 3 * 24 * 3_600_000;

/** Whether the e-mail is to be tried now, as far as its own stream says. */
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
      return [{ type: 'MailAbandoned', data: { letterId, reason: 'not wanted any more' } }];
    case 'refused':
      return [{ type: 'MailAbandoned', data: { letterId, reason: outcome.reason } }];
    case 'failed': {
      const { reason } = outcome;
      if (now - requestedAt >= maxLife) return [{ type: 'MailAbandoned', data: { letterId, reason } }];
      const retryAt = now + Math.min(firstPause * 2 ** delivery.attempts, maxPause);
      return [{ type: 'MailPostponed', data: { letterId, retryAt, reason } }];
    }
  }
}
