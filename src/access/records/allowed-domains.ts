import type { OrganizationSettings } from '../../events/values/organization-settings.js';
import { failure } from '../../kernel/errors.js';

/** The best-known services with disposable addresses. */
const services: ReadonlySet<string> = new Set([
  '10minutemail.com',
  '33mail.com',
  'burnermail.io',
  'discard.email',
  'dispostable.com',
  'emailondeck.com',
  'fakeinbox.com',
  'getairmail.com',
  'getnada.com',
  'grr.la',
  'guerrillamail.com',
  'guerrillamail.net',
  'guerrillamail.org',
  'guerrillamailblock.com',
  'inboxkitten.com',
  'maildrop.cc',
  'mailcatch.com',
  'mailinator.com',
  'mailnesia.com',
  'mailsac.com',
  'mintemail.com',
  'moakt.com',
  'mohmal.com',
  'mytemp.email',
  'sharklasers.com',
  'spam4.me',
  'spamgourmet.com',
  'temp-mail.org',
  'tempail.com',
  'tempmailo.com',
  'tempr.email',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
]);

/** @param domain in lower case; subdomains of a service count too */
function isDisposable(domain: string): boolean {
  const labels = domain.split('.');
  return labels.some((_label, place) => services.has(labels.slice(place).join('.')));
}

/** A domain whose addresses may join if the organization is restricted to domains. */
export interface AllowedDomain {
  readonly id: number;
  /** In lower case. */
  readonly domain: string;
  readonly allowSubdomains: boolean;
}

/** Maximum length of a domain, in UTF-16 units. */
export const MAX_DOMAIN_LENGTH = 255;
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
    domain.length <= MAX_DOMAIN_LENGTH && labels.length > 1 && labels.every((part) => label.test(part));
  if (!isDomain) throw failure('invalidDomain', { reason: domain });
  return domain;
}

/** The organization's rules about which addresses may join. */
interface AddressRestrictions {
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
