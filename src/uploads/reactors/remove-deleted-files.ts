import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import { SealedFiles } from '../../file-store/sealed-files.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import type { UploadDeleted } from '../events.js';

type Deleted = RecordedEvent<EventOf<typeof UploadDeleted>>;

/** Destroys the bytes of deleted uploads; doing it again changes nothing, so that no record of it is needed. */
@Injectable()
@RunsAsReactor()
export class RemoveDeletedFiles implements Reactor {
  readonly name = 'remove-deleted-files';
  readonly on = {
    UploadDeleted: (event: RecordedEvent): Promise<void> => {
      const { storageName } = (event as unknown as Deleted).data;
      return this.files.delete({ name: storageName });
    },
  };

  constructor(private readonly files: SealedFiles) {}
}
