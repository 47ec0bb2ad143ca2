import type { Snapshot } from '../../access/snapshot.js';
import { ApplicationError } from '../../kernel/errors.js';
import { assertAddressMayJoin } from '../../access/records/allowed-domains.js';
import { emailAddressOf } from '../users/email-address.js';

/**
 * An address as it is kept, if somebody can join with it.
 *
 * @throws ApplicationError `emailInvalid`, `emailDomainNotAllowed`, `emailWithSuffixNotAllowed`
 */
export function joiningAddress({ directory: { organization } }: Snapshot, sent: string): string {
  const email = emailAddressOf(sent);
  if (organization !== null) assertAddressMayJoin(organization, email);
  return email;
}

/** Why nobody can join with an address, in words for whoever wrote it; null when they can. */
export function addressRefusal(snapshot: Snapshot, address: string): string | null {
  try {
    joiningAddress(snapshot, address);
    return null;
  } catch (error) {
    if (error instanceof ApplicationError) return error.message;
    throw error;
  }
}
