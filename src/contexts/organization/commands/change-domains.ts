import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import {
  decideAllowDomain,
  decideChangeDomain,
  decideRemoveDomain,
  type AskedDomain,
} from '../domain-changes.js';
import { OrganizationStream } from '../organization-stream.js';

/** Allows a domain (specification, POST /realm/domains). Answers its id and the domain as it is kept. */
export class AllowDomain extends Command<{ readonly domainId: number; readonly domain: string }> {
  constructor(
    readonly caller: Caller,
    readonly asked: AskedDomain,
  ) {
    super();
  }
}

@CommandHandler(AllowDomain)
export class AllowDomainHandler implements ICommandHandler<AllowDomain> {
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, asked }: AllowDomain): Promise<{ domainId: number; domain: string }> {
    const [allowed] = await this.organization.decide(caller, (organization, { actor }, nextRevision) =>
      decideAllowDomain(organization, asked, { actor, nextRevision }),
    );
    if (allowed?.type !== 'DomainAllowed') throw new Error('Allowing a domain always appends');
    const { domainId, domain } = allowed.data;
    return { domainId, domain };
  }
}

/** Says whether the subdomains of an allowed domain are allowed with it. */
export class ChangeDomain extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly asked: AskedDomain,
  ) {
    super();
  }
}

@CommandHandler(ChangeDomain)
export class ChangeDomainHandler implements ICommandHandler<ChangeDomain> {
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, asked }: ChangeDomain): Promise<void> {
    await this.organization.decide(caller, (organization, by) => decideChangeDomain(organization, asked, by));
  }
}

/** Takes a domain from those that are allowed. */
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
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, domain }: RemoveDomain): Promise<void> {
    await this.organization.decide(caller, (organization, by) =>
      decideRemoveDomain(organization, domain, by),
    );
  }
}
