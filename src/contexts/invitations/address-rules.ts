import type { Snapshot } from '../../access/snapshot.js';
import { ApplicationError } from '../../kernel/errors.js';
import { assertAddressMayJoin } from '../../access/records/allowed-domains.js';
import { emailAddressOf } from '../users/email-address.js';

/**
 * The stored form of an address that may join.
 *
 * @throws ApplicationError `emailInvalid`, `emailDomainNotAllowed`, `emailWithSuffixNotAllowed`
 */
export function joiningAddress({ directory: { organization } }: Snapshot, sent: string): string {
  const email = emailAddressOf(sent);
  if (organization !== null) assertAddressMayJoin(organization, email);
  return email;
}

/** Why an address may not join, as a text for the person who entered it; null when it may. */
export function addressRefusal(snapshot: Snapshot, address: string): string | null {
  try {
    joiningAddress(snapshot, address);
    return null;
  } catch (error) {
    if (error instanceof ApplicationError) return error.message;
    throw error;
  }
}
