import { toSeconds } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';

/** The server's configuration for invitations. */
export class InvitationPolicy {
  constructor(
    /** `INVITATION_LINK_VALIDITY_MINUTES`. */
    readonly validityMinutes: number,
    /** `INVITATIONS_PER_DAY`: maximum number of invitation e-mails; 0: no limit. */
    readonly perDay: number,
  ) {}
}

/** A hundred years: a limit that keeps the expiry a valid time. */
const MAX_MINUTES = 52_560_000;

/**
 * When an invitation expires, in seconds since the UNIX epoch; null: never.
 *
 * @param minutes from the request: null for no expiry, undefined for the server's default
 * @throws ApplicationError `invalidValidity`
 */
export function expiryOf(
  minutes: number | null | undefined,
  { validityMinutes }: InvitationPolicy,
  now: number,
): number | null {
  if (minutes === null) return null;
  const valid = minutes ?? validityMinutes;
  if (valid < 1 || valid > MAX_MINUTES) throw failure('invalidValidity');
  return toSeconds(now) + valid * 60;
}
