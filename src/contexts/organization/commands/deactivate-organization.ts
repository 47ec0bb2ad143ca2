import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isOwner } from '../../../access/records/roles.js';
import type { OrganizationEvent } from '../../../events/organization.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { existing, foldedOrganization, type Organization } from '../../../access/records/organization.js';
import { Decisions } from '../../../http/decisions.js';
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
  { user: actor }: Pick<Actor, 'user'>,
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
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, deletionDelayDays }: DeactivateOrganization): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, by) =>
      decideDeactivateOrganization(existing(organization), deletionDelayDays, by),
    );
  }
}
