import { failure } from '../../kernel/errors.js';
import { isDisposable } from './disposable-domains.js';
import type { OrganizationSettings } from '../../events/values/organization-settings.js';

/** A domain whose addresses may join if the organization is restricted to domains. */
export interface AllowedDomain {
  readonly id: number;
  /** In lower case. */
  readonly domain: string;
  readonly allowSubdomains: boolean;
}

const MAX_LENGTH = 255;
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/**
 * The stored form of a domain: trimmed, in lower case, with at least two labels.
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

/** The organization's rules about which addresses may join. */
export interface AddressRestrictions {
  readonly settings: Pick<
    OrganizationSettings,
    'emails_restricted_to_domains' | 'disallow_disposable_email_addresses'
  >;
  readonly domains: readonly AllowedDomain[];
}

/**
 * Refuses addresses that may not join. If the organization is restricted to domains, an address must belong
 * to one of them, without a suffix (`name+suffix@`); if it is not, it may still refuse disposable addresses.
 *
 * @throws ApplicationError `emailDomainNotAllowed`, `emailWithSuffixNotAllowed`, `disposableEmail`
 */
export function assertAddressMayJoin({ settings, domains }: AddressRestrictions, email: string): void {
  const at = email.lastIndexOf('@');
  const sent = email.slice(at + 1).toLowerCase();
  if (!settings.emails_restricted_to_domains) {
    if (settings.disallow_disposable_email_addresses && isDisposable(sent)) throw failure('disposableEmail');
    return;
  }
  if (email.slice(0, at).includes('+')) throw failure('emailWithSuffixNotAllowed');
  const isAllowed = domains.some(
    ({ domain, allowSubdomains }) => sent === domain || (allowSubdomains && sent.endsWith(`.${domain}`)),
  );
  if (!isAllowed) throw failure('emailDomainNotAllowed', { reason: email });
}
