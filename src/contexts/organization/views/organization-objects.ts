import type { CodePlayground } from '../../../access/records/code-playgrounds.js';
import type { AllowedDomain } from '../../../access/records/allowed-domains.js';
import type { CodePlaygroundObject, DomainObject } from '../organization.replies.js';

/** Formats a code playground for the API. */
export function codePlaygroundObject(playground: CodePlayground): CodePlaygroundObject {
  const { playgroundId: id, name, language, urlTemplate } = playground;
  return { id, name, pygments_language: language, url_template: urlTemplate };
}

/** Formats an allowed domain for the API. */
export function domainObject({ domain, allowSubdomains }: Omit<AllowedDomain, 'id'>): DomainObject {
  return { domain, allow_subdomains: allowSubdomains };
}
