import { streamsOf } from '../../kernel/decision.js';
import type { Fold } from '../../kernel/decider.js';
import { personalStream } from '../../events/personal.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { AccountLinkEvent } from '../../events/account-links.js';

/** A link that was requested. */
interface RequestedLink {
  /** Revision of the request in the person's stream, which the link names. */
  readonly revision: number;
  /** Milliseconds since the UNIX epoch. */
  readonly requestedAt: number;
}

/** The open requests of a person that a link confirms; of each kind, only the newest link is valid. */
export interface RequestedLinks {
  readonly emailChange: (RequestedLink & { readonly email: string; readonly emailDigest: string }) | null;
  readonly passwordReset: RequestedLink | null;
  /** When the last e-mails were requested, oldest first: milliseconds since the UNIX epoch. */
  readonly letters: readonly number[];
}

const aDay = 86_400_000;

/**
 * Maximum number of e-mails that one account may cause in a day, because their receiver may not have
 * requested them.
 */
const maxEmailsInADay = 10;

/** Folds the requests for links out of a person's stream. */
export const requestedLinksFold: Fold<RequestedLinks, RecordedEvent<AccountLinkEvent>> = {
  snapshot: { name: 'requested-links', version: 1 },
  initial: { emailChange: null, passwordReset: null, letters: [] },
  evolve(links, event) {
    const { revision, metadata } = event;
    const link = { revision, requestedAt: metadata.at };
    const letters = [...links.letters, metadata.at].slice(-maxEmailsInADay);
    switch (event.type) {
      case 'EmailChangeRequested': {
        const { email, emailDigest } = event.data;
        return { ...links, letters, emailChange: { ...link, email, emailDigest } };
      }
      case 'PasswordResetRequested':
        return { ...links, letters, passwordReset: link };
      default:
        return links;
    }
  },
};

/** What a person asked for, for decisions about it. */
export const requestedLinksOf = streamsOf(personalStream, requestedLinksFold);

/** Milliseconds until another e-mail may be requested; 0 when it may be now. */
export function waitForEmail({ letters }: RequestedLinks, now: number): number {
  const [oldest] = letters;
  if (oldest === undefined || letters.length < maxEmailsInADay) return 0;
  return Math.max(0, oldest + aDay - now);
}

/**
 * Whether a link is valid: for a day, unless the change was made since, by the link or otherwise.
 *
 * @param doneAt when the change was last made, in milliseconds since the UNIX epoch; null: never
 */
export function isOpen(
  link: RequestedLink | null,
  {
    revision,
    doneAt,
    now,
  }: { readonly revision: number; readonly doneAt: number | null; readonly now: number },
): link is RequestedLink {
  if (link?.revision !== revision) return false;
  return now - link.requestedAt <= aDay && (doneAt === null || doneAt < link.requestedAt);
}
