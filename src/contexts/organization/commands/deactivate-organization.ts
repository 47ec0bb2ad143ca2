import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Organization } from '../../../access/records/organization.js';
import { isOwner } from '../../../access/records/roles.js';
import type { OrganizationEvent } from '../../../events/organization.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { ActorAt } from '../../users/decisions.js';
import { OrganizationStream } from '../organization-stream.js';
import { minDeletionDelay } from '../server-constants.js';

/** Lets nobody into the organization any more, until an operator makes it active again (POST /realm/deactivate). */
export class DeactivateOrganization extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** After how many days what it holds is to be deleted; null: not at all. */
    readonly deletionDelayDays: number | null,
  ) {
    super();
  }
}

/** @throws ApplicationError `ownerRequired`, `invalidDeletionDelay` */
export function decideDeactivateOrganization(
  { isDeactivated }: Organization,
  deletionDelayDays: number | null,
  { actor }: Pick<ActorAt, 'actor'>,
): readonly OrganizationEvent[] {
  if (!isOwner(actor)) throw failure('ownerRequired');
  if (deletionDelayDays !== null && deletionDelayDays < minDeletionDelay)
    throw failure('invalidDeletionDelay');
  return isDeactivated === true ? [] : [{ type: 'OrganizationDeactivated', data: { deletionDelayDays } }];
}

/** Nothing where it is active. */
export function decideReactivateOrganization(
  { isDeactivated }: Organization,
  operator: string,
): readonly OrganizationEvent[] {
  return isDeactivated === true ? [{ type: 'OrganizationReactivated', data: { operator } }] : [];
}

@CommandHandler(DeactivateOrganization)
export class DeactivateOrganizationHandler implements ICommandHandler<DeactivateOrganization> {
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, deletionDelayDays }: DeactivateOrganization): Promise<void> {
    await this.organization.decide(caller, (organization, by) =>
      decideDeactivateOrganization(organization, deletionDelayDays, by),
    );
  }
}
