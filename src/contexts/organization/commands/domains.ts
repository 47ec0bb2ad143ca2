import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import {
  decideAllowDomain,
  decideChangeDomain,
  decideRemoveDomain,
  type DomainRequest,
} from '../domains.decide.js';
import { existing, foldedOrganization } from '../../../access/records/organization.js';
import { Decisions } from '../../../http/decisions.js';

/** Allows a domain (`POST /realm/domains`). Returns its id and its stored form. */
export class AllowDomain extends Command<{ readonly domainId: number; readonly domain: string }> {
  constructor(
    readonly caller: Caller,
    readonly request: DomainRequest,
  ) {
    super();
  }
}

@CommandHandler(AllowDomain)
export class AllowDomainHandler implements ICommandHandler<AllowDomain> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, request: asked }: AllowDomain): Promise<{ domainId: number; domain: string }> {
    const {
      events: [allowed],
    } = await this.decisions.decide(caller, foldedOrganization, (organization, { user }, nextRevision) =>
      decideAllowDomain(existing(organization), asked, { user, nextRevision }),
    );
    if (allowed?.type !== 'DomainAllowed') throw new Error('Allowing a domain always appends');
    const { domainId, domain } = allowed.data;
    return { domainId, domain };
  }
}

/** Changes whether the subdomains of an allowed domain are allowed too. */
export class ChangeDomain extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: DomainRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeDomain)
export class ChangeDomainHandler implements ICommandHandler<ChangeDomain> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, request: asked }: ChangeDomain): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, actor) =>
      decideChangeDomain(existing(organization), asked, actor),
    );
  }
}

/** Removes an allowed domain. */
export class RemoveDomain extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly domain: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveDomain)
export class RemoveDomainHandler implements ICommandHandler<RemoveDomain> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, domain }: RemoveDomain): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, actor) =>
      decideRemoveDomain(existing(organization), domain, actor),
    );
  }
}
