import type { Actor } from '../../access/actor.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import { isOwner } from '../../access/records/roles.js';
import { domainOf, type AllowedDomain } from '../../access/records/allowed-domains.js';
import type { OrganizationEvent } from '../../events/organization.js';
import type { Organization } from '../../access/records/organization.js';

/** A domain in a request, and whether its subdomains are allowed too. */
export interface DomainRequest {
  readonly domain: string;
  readonly allowSubdomains: boolean;
}

/** @throws ApplicationError `ownerRequired`, `invalidDomain`, `domainAlreadyAllowed`, `tooManyDomains` */
export function decideAllowDomain(
  organization: Organization,
  { domain: sent, allowSubdomains }: DomainRequest,
  { user: actor, nextRevision }: Pick<Actor, 'user'> & { readonly nextRevision: number },
): readonly OrganizationEvent[] {
  if (!isOwner(actor)) throw failure('ownerRequired');
  const domain = domainOf(sent);
  if (organization.domains.some((allowed) => allowed.domain === domain)) {
    throw failure('domainAlreadyAllowed', { reason: domain });
  }
  if (organization.domains.length >= budgets.allowedDomains.max) throw failure('tooManyDomains');
  return [{ type: 'DomainAllowed', data: { domainId: idAtRevision(nextRevision), domain, allowSubdomains } }];
}

/** @throws ApplicationError `ownerRequired`, `noSuchDomain` */
export function decideChangeDomain(
  organization: Organization,
  { domain: sent, allowSubdomains }: DomainRequest,
  { user: actor }: Pick<Actor, 'user'>,
): readonly OrganizationEvent[] {
  if (!isOwner(actor)) throw failure('ownerRequired');
  const { id: domainId, domain, ...present } = allowedDomain(organization, sent);
  if (present.allowSubdomains === allowSubdomains) return [];
  return [{ type: 'AllowedDomainChanged', data: { domainId, domain, allowSubdomains } }];
}

/**
 * Removing the last domain also ends the restriction to domains, because otherwise nobody could join.
 *
 * @throws ApplicationError `ownerRequired`, `noSuchDomain`
 */
export function decideRemoveDomain(
  organization: Organization,
  sent: string,
  { user: actor }: Pick<Actor, 'user'>,
): readonly OrganizationEvent[] {
  if (!isOwner(actor)) throw failure('ownerRequired');
  const { id: domainId, domain } = allowedDomain(organization, sent);
  const removed: OrganizationEvent = { type: 'AllowedDomainRemoved', data: { domainId, domain } };
  const { domains, settings } = organization;
  if (domains.length > 1 || !settings.emails_restricted_to_domains) return [removed];
  const data = {
    settings: { emails_restricted_to_domains: false },
    previousSettings: { emails_restricted_to_domains: true },
  };
  return [removed, { type: 'OrganizationSettingsChanged', data }];
}

function allowedDomain({ domains }: Organization, sent: string): AllowedDomain {
  const name = sent.trim().toLowerCase();
  const allowed = domains.find(({ domain }) => domain === name);
  if (allowed === undefined) throw failure('noSuchDomain', { reason: name });
  return allowed;
}
