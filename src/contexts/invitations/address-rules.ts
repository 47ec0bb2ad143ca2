import { assertAddressMayJoin } from '../../access/records/allowed-domains.js';
import type { Snapshot } from '../../access/snapshot.js';
import { ApplicationError } from '../../kernel/errors.js';
import { emailAddressOf } from '../users/email-address.js';

/**
 * The addresses in a list that people typed or pasted: separated by commas or line ends, each with or without
 * a name before it. Duplicates, ignoring case, are removed.
 */
export function addressesIn(list: string): readonly string[] {
  const byKey = new Map<string, string>();
  for (const entry of list.split(/[,\n\r]/)) {
    const address = (/<([^<>]*)>/.exec(entry)?.[1] ?? entry).trim();
    const key = address.toLowerCase();
    if (address !== '' && !byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}

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
