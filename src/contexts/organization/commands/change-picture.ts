import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StoredImage } from '../../../stores/file-store/image.js';
import type { Caller } from '../../../http/caller.js';
import type { PictureKind } from '../../../events/organization.js';
import { existing, foldedOrganization } from '../../../access/records/organization.js';
import { Decisions } from '../../../http/decisions.js';
import { decidePicture } from '../pictures.js';

/** Gives the organization another icon or logo, or takes it away (null). */
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
    await this.decisions.decide(caller, foldedOrganization, (organization, by) =>
      decidePicture(existing(organization), { kind, image }, by),
    );
  }
}
