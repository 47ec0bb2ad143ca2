import { failure } from '../kernel/errors.js';

/** A domain whose addresses may join where the organization is restricted to domains. */
export interface AllowedDomain {
  readonly id: number;
  /** In lower case. */
  readonly domain: string;
  readonly allowSubdomains: boolean;
}

const MAX_LENGTH = 255;
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/**
 * A domain as it is kept: trimmed, in lower case, of two labels at least.
 *
 * @throws ApplicationError `invalidDomain`
 */
export function domainOf(sent: string): string {
  const domain = sent.trim().toLowerCase();
  const labels = domain.split('.');
  const isDomain =
    domain.length <= MAX_LENGTH && labels.length > 1 && labels.every((part) => label.test(part));
  if (!isDomain) throw failure('invalidDomain', { reason: domain });
  return domain;
}

/** What of the organization says which addresses may join. */
export interface AddressRestrictions {
  readonly settings: { readonly emails_restricted_to_domains: boolean };
  readonly domains: readonly AllowedDomain[];
}

/**
 * Where the organization is restricted to domains, an address must be of one of them, and may not stand for another by a
 * suffix of its own (`name+suffix@`).
 *
 * @throws ApplicationError `emailDomainNotAllowed`, `emailWithSuffixNotAllowed`
 */
export function assertAddressMayJoin({ settings, domains }: AddressRestrictions, email: string): void {
  if (!settings.emails_restricted_to_domains) return;
  const at = email.lastIndexOf('@');
  if (email.slice(0, at).includes('+')) throw failure('emailWithSuffixNotAllowed');
  const sent = email.slice(at + 1).toLowerCase();
  const isAllowed = domains.some(
    ({ domain, allowSubdomains }) => sent === domain || (allowSubdomains && sent.endsWith(`.${domain}`)),
  );
  if (!isAllowed) throw failure('emailDomainNotAllowed', { reason: email });
}
