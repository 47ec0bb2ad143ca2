import type { AllowedDomain } from '../../../access/records/allowed-domains.js';

/** An allowed domain as the API gives it (facts of the events, section 2, `realm_domains`). */
export interface DomainObject {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/** An allowed domain in the words of the API. */
export function domainObject({ domain, allowSubdomains }: Omit<AllowedDomain, 'id'>): DomainObject {
  return { domain, allow_subdomains: allowSubdomains };
}
