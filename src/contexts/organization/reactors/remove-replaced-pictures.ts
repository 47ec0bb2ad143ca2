import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import type { Recorded } from '../../../kernel/event.js';
import { OrganizationPictureChanged, OrganizationPictureRemoved } from '../../../events/organization.js';
import { on } from '../../../kernel/on.js';

/** Removes the files of pictures that the organization does not use any more; repeating it has no effect. */
@Injectable()
@RunsAsReactor()
export class RemoveReplacedPictures implements Reactor {
  readonly name = 'remove-replaced-pictures';
  readonly on = on([OrganizationPictureChanged, OrganizationPictureRemoved], (event) => this.remove(event));

  constructor(private readonly files: EncryptedFiles) {}

  private async remove({
    data: { replacedName },
  }: Recorded<typeof OrganizationPictureChanged | typeof OrganizationPictureRemoved>): Promise<void> {
    if (replacedName !== null) await this.files.delete({ name: replacedName });
  }
}
