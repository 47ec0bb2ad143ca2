import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { decideOrganizationChanges, type OrganizationChanges } from '../organization-changes.js';
import { OrganizationStream } from '../organization-stream.js';

/** Changes settings and permissions of the organization (PATCH /realm). */
export class UpdateOrganization extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: OrganizationChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdateOrganization)
export class UpdateOrganizationHandler implements ICommandHandler<UpdateOrganization> {
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, changes }: UpdateOrganization): Promise<void> {
    await this.organization.decide(caller, (organization, by) =>
      decideOrganizationChanges(organization, changes, by),
    );
  }
}
