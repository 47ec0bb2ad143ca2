import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller, Public } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { DeactivateOrganization, UpdateOrganization } from './commands/organization.js';
import {
  DeactivateOrganizationParameters,
  organizationChanges,
  UpdateOrganizationParameters,
} from './organization.parameters.js';
import { GetServerSettings } from './queries/organization.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { serverSettingsReply } from './organization.replies.js';

/** The organization and its server. */
@ApiTags('organization')
@Controller()
export class OrganizationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Returns what clients need before they log in. */
  @Public()
  @Reply(serverSettingsReply)
  @Get('server_settings')
  serverSettings(): Promise<SuccessFields> {
    return this.queries.execute(new GetServerSettings());
  }

  /** Deactivates the organization: nobody can log in until an operator reactivates it. */
  @Reply()
  @Post('realm/deactivate')
  async deactivate(
    @CurrentCaller() caller: Caller,
    @Parameters(DeactivateOrganizationParameters)
    { deletion_delay_days: days }: DeactivateOrganizationParameters,
  ): Promise<void> {
    await this.commands.execute(new DeactivateOrganization(caller, days ?? null));
  }

  /** Changes settings and permissions of the organization. */
  @Reply()
  @Patch('realm')
  async update(
    @CurrentCaller() caller: Caller,
    @Parameters(UpdateOrganizationParameters) parameters: UpdateOrganizationParameters,
  ): Promise<void> {
    await this.commands.execute(new UpdateOrganization(caller, organizationChanges(parameters)));
  }
}
