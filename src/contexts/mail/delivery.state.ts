import type { MailEvent } from '../../events/mail.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { streamsOf } from '../../kernel/decision.js';

/** The delivery status of an e-mail. */
export interface Delivery {
  readonly attempts: number;
  /** Time before which it is not tried, in milliseconds since the UNIX epoch. */
  readonly notBefore: number;
  readonly isOver: boolean;
}

/** Folds the delivery status of an e-mail. */
export const deliveryFold: Fold<Delivery, RecordedEvent<MailEvent>> = {
  initial: { attempts: 0, notBefore: 0, isOver: false },
  evolve(delivery, event) {
    switch (event.type) {
      case 'MailPostponed':
        return { ...delivery, attempts: delivery.attempts + 1, notBefore: event.data.retryAt };
      case 'MailSent':
      case 'MailAbandoned':
        return { ...delivery, isOver: true };
    }
  },
};

/** Name of the stream with the delivery of an e-mail. */
export function mailStream(letterId: string): string {
  return `mail-${letterId}`;
}

/** The stream of an e-mail's delivery, by its id. */
export const deliveryOf = streamsOf(mailStream, deliveryFold);
