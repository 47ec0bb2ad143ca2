import { toSeconds } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';

/** What the server's configuration says of invitations. */
export class InvitationPolicy {
  constructor(
    /** `INVITATION_LINK_VALIDITY_MINUTES`. */
    readonly validityMinutes: number,
    /** `INVITATIONS_PER_DAY`: e-mails that invite; 0: without limit. */
    readonly perDay: number,
  ) {}
}

/** A hundred years: what is valid for longer would not be a time. */
const maxMinutes = 52_560_000;

/**
 * When an invitation ends, in seconds since the UNIX epoch; null: never.
 *
 * @param minutes as sent: null for ever, undefined for the server's default
 * @throws ApplicationError `invalidValidity`
 */
export function expiryOf(
  minutes: number | null | undefined,
  { validityMinutes }: InvitationPolicy,
  now: number,
): number | null {
  if (minutes === null) return null;
  const valid = minutes ?? validityMinutes;
  if (valid < 1 || valid > maxMinutes) throw failure('invalidValidity');
  return toSeconds(now) + valid * 60;
}
