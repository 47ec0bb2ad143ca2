import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import { SealedFiles } from '../../file-store/sealed-files.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { UserEvent } from '../events.js';

type Replaced = Extract<RecordedEvent<UserEvent>, { type: 'UserAvatarChanged' | 'UserAvatarRemoved' }>;

/** Destroys the bytes of pictures that are no account's any more; doing it again changes nothing. */
@Injectable()
@RunsAsReactor()
export class RemoveReplacedAvatars implements Reactor {
  readonly name = 'remove-replaced-avatars';
  readonly on = {
    UserAvatarChanged: (event: RecordedEvent): Promise<void> => this.remove(event as Replaced),
    UserAvatarRemoved: (event: RecordedEvent): Promise<void> => this.remove(event as Replaced),
  };

  constructor(private readonly files: SealedFiles) {}

  private async remove({ data: { replacedName } }: Replaced): Promise<void> {
    if (replacedName !== null) await this.files.delete({ name: replacedName });
  }
}
