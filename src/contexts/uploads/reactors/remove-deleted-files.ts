import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { SealedFiles } from '../../../stores/file-store/sealed-files.js';
import { on } from '../../../kernel/on.js';
import { UploadDeleted } from '../../../events/uploads.js';

/** Destroys the bytes of deleted uploads; doing it again changes nothing, so that no record of it is needed. */
@Injectable()
@RunsAsReactor()
export class RemoveDeletedFiles implements Reactor {
  readonly name = 'remove-deleted-files';
  readonly on = on(UploadDeleted, ({ data }) => this.files.delete({ name: data.storageName }));

  constructor(private readonly files: SealedFiles) {}
}
