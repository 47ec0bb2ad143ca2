import { streamsOf } from '../../kernel/decision.js';
import type { Fold } from '../../kernel/fold.js';
import { personalStream } from '../../events/personal.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { AccountLinkEvent } from '../../events/account-links.js';
import type { User } from '../../access/records/user.js';

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
  /**
   * When the last e-mails of each kind were requested, oldest first: milliseconds since the UNIX epoch. They are counted apart,
   * because anybody can request the reset of somebody's password, and only the person themselves a change of address.
   */
  readonly changesRequestedAt: readonly number[];
  readonly resetsRequestedAt: readonly number[];
}

const DAY_MILLISECONDS = 86_400_000;

/**
 * Maximum number of e-mails of one kind that may be requested for one account in a day, because their receiver may not have
 * requested them.
 */
const MAX_EMAILS_IN_A_DAY = 10;

/** Folds the requests for links out of a person's stream. */
export const requestedLinksFold: Fold<RequestedLinks, RecordedEvent<AccountLinkEvent>> = {
  snapshot: { name: 'requested-links', version: 2 },
  initial: { emailChange: null, passwordReset: null, changesRequestedAt: [], resetsRequestedAt: [] },
  evolve(links, event) {
    const { revision, metadata } = event;
    const link = { revision, requestedAt: metadata.at };
    const counted = (before: readonly number[]): number[] =>
      [...before, metadata.at].slice(-MAX_EMAILS_IN_A_DAY);
    switch (event.type) {
      case 'EmailChangeRequested': {
        const { email, emailDigest } = event.data;
        const changesRequestedAt = counted(links.changesRequestedAt);
        return { ...links, changesRequestedAt, emailChange: { ...link, email, emailDigest } };
      }
      case 'PasswordResetRequested':
        return { ...links, resetsRequestedAt: counted(links.resetsRequestedAt), passwordReset: link };
      default:
        return links;
    }
  },
};

/** The links that a person requested, for decisions about them. */
export const requestedLinksOf = streamsOf(personalStream, requestedLinksFold);

/**
 * Milliseconds until another e-mail of a kind may be requested; 0 when it may be now.
 *
 * @param requestedAt when the last ones were requested, oldest first
 */
export function waitForEmail(requestedAt: readonly number[], now: number): number {
  const [oldest] = requestedAt;
  if (oldest === undefined || requestedAt.length < MAX_EMAILS_IN_A_DAY) return 0;
  return Math.max(0, oldest + DAY_MILLISECONDS - now);
}

/**
 * Whether a link is valid: for a day, unless the address or the password was changed since, by the link or otherwise. Either
 * ends both kinds of links: whoever takes an account back by a new password must not lose it to a change of address that was
 * requested before, and a link that was sent to a former address must not reset the password.
 */
export function isOpen(
  link: RequestedLink | null,
  {
    revision,
    user: { emailChangedAt, passwordChangedAt },
    now,
  }: {
    readonly revision: number;
    readonly user: Pick<User, 'emailChangedAt' | 'passwordChangedAt'>;
    readonly now: number;
  },
): link is RequestedLink {
  if (link?.revision !== revision) return false;
  const changedAt = Math.max(emailChangedAt ?? -Infinity, passwordChangedAt ?? -Infinity);
  return now - link.requestedAt <= DAY_MILLISECONDS && changedAt < link.requestedAt;
}
