import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import { AllowDomain, ChangeDomain, RemoveDomain } from './commands/domains.js';
import { AllowDomainParameters, ChangeDomainParameters } from './organization.parameters.js';
import { GetDomains } from './queries/organization.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { allowedDomainReply, domainsReply } from './organization.replies.js';

/** The domains that the organization may be restricted to. */
@ApiTags('organization')
@Controller('realm/domains')
export class DomainsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the allowed domains. */
  @Reply(domainsReply)
  @Get()
  async list(): Promise<SuccessFields> {
    return { domains: await this.queries.execute(new GetDomains()) };
  }

  /** Allows a domain. Owners only. */
  @Reply(allowedDomainReply)
  @Post()
  async allow(
    @CurrentCaller() caller: Caller,
    @Parameters(AllowDomainParameters) { domain, allow_subdomains }: AllowDomainParameters,
  ): Promise<SuccessFields> {
    const command = new AllowDomain(caller, { domain, allowSubdomains: allow_subdomains });
    const allowed = await this.commands.execute(command);
    return { new_domain: [allowed.domainId, allowed.domain] };
  }

  /** Changes whether the subdomains of an allowed domain are allowed too. Owners only. */
  @Reply()
  @Patch(':domain')
  async change(
    @CurrentCaller() caller: Caller,
    @PathName('domain') domain: string,
    @Parameters(ChangeDomainParameters) { allow_subdomains: allowSubdomains }: ChangeDomainParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeDomain(caller, { domain, allowSubdomains }));
  }

  /** Removes an allowed domain. Owners only. */
  @Reply()
  @Delete(':domain')
  async remove(@CurrentCaller() caller: Caller, @PathName('domain') domain: string): Promise<void> {
    await this.commands.execute(new RemoveDomain(caller, domain));
  }
}
