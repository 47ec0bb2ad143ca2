import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { decideOrganizationChanges, type OrganizationChanges } from '../organization-changes.js';
import { existing, foldedOrganization } from '../../../access/records/organization.js';
import { Decisions } from '../../../http/decisions.js';

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
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, changes }: UpdateOrganization): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, by) =>
      decideOrganizationChanges(existing(organization), changes, by),
    );
  }
}
