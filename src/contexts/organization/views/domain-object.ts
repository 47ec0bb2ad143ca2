import type { AllowedDomain } from '../../../access/records/allowed-domains.js';
import type { DomainObject } from '../organization.replies.js';

/** An allowed domain in the words of the API. */
export function domainObject({ domain, allowSubdomains }: Omit<AllowedDomain, 'id'>): DomainObject {
  return { domain, allow_subdomains: allowSubdomains };
}
