import { streamsOf } from '../../kernel/stream.js';
import type { Fold } from '../../kernel/decider.js';
import { personalStream } from '../../events/personal-stream.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { AccountLinkEvent } from '../../events/account-links.js';

/** A link that was asked for. */
export interface RequestedLink {
  /** Of the request, in the stream of the person: what the link names. */
  readonly revision: number;
  /** Milliseconds since the UNIX epoch. */
  readonly requestedAt: number;
}

/** What a person asked for that they are to confirm by a link; of each kind, only the newest link opens anything. */
export interface RequestedLinks {
  readonly emailChange: (RequestedLink & { readonly email: string; readonly emailDigest: string }) | null;
  readonly passwordReset: RequestedLink | null;
  /** When the last e-mails were asked for, oldest first: milliseconds since the UNIX epoch. */
  readonly letters: readonly number[];
}

const aDay = 86_400_000;

/** E-mails that one account may cause in a day: whoever receives them did not ask for more. */
const maxEmailsInADay = 10;

/** How a person's requested links follow from what was asked for, in the stream of their account links. */
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

/** How long it takes until a further e-mail may be asked for, in milliseconds; 0 when it may be at once. */
export function waitForEmail({ letters }: RequestedLinks, now: number): number {
  const [oldest] = letters;
  if (oldest === undefined || letters.length < maxEmailsInADay) return 0;
  return Math.max(0, oldest + aDay - now);
}

/**
 * Whether a link opens what it was made for: for a day, and until that was done, by it or otherwise.
 *
 * @param doneAt when it was last done: milliseconds since the UNIX epoch; null: never
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
