import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import {
  decideOrganizationChanges,
  type OrganizationChanges,
  decideDeactivateOrganization,
  decidePicture,
} from '../organization.decide.js';
import { existing, foldedOrganization } from '../../../access/records/organization.js';
import { Decisions } from '../../../http/decisions.js';
import type { StoredImage } from '../../../stores/file-store/image.js';
import type { PictureKind } from '../../../events/organization.js';

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
    await this.decisions.decide(caller, foldedOrganization, (organization, actor) =>
      decideOrganizationChanges(existing(organization), changes, actor),
    );
  }
}

/** Deactivates the organization until an operator reactivates it (`POST /realm/deactivate`). */
export class DeactivateOrganization extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Days after which its data is to be deleted; null: never. */
    readonly deletionDelayDays: number | null,
  ) {
    super();
  }
}

@CommandHandler(DeactivateOrganization)
export class DeactivateOrganizationHandler implements ICommandHandler<DeactivateOrganization> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, deletionDelayDays }: DeactivateOrganization): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, actor) =>
      decideDeactivateOrganization(existing(organization), deletionDelayDays, actor),
    );
  }
}

/** Sets the organization's icon or logo, or removes it (null). */
export class ChangePicture extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly kind: PictureKind,
    readonly image: StoredImage | null,
  ) {
    super();
  }
}

@CommandHandler(ChangePicture)
export class ChangePictureHandler implements ICommandHandler<ChangePicture> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, kind, image }: ChangePicture): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, actor) =>
      decidePicture(existing(organization), { kind, image }, actor),
    );
  }
}
