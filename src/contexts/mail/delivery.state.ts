import type { MailEvent } from '../../events/mail.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { streamsOf } from '../../kernel/stream.js';

/** What became of an e-mail so far. */
export interface Delivery {
  readonly attempts: number;
  /** Not before this: milliseconds since the UNIX epoch. */
  readonly notBefore: number;
  readonly isOver: boolean;
}

/** What became of an e-mail, by its own stream. */
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

/** The stream of what became of an e-mail. */
export function mailStream(letterId: string): string {
  return `mail-${letterId}`;
}

/** What became of an e-mail, by its id. */
export const deliveryOf = streamsOf(mailStream, deliveryFold);
