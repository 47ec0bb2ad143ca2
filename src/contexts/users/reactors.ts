import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { UserAvatarChanged, UserAvatarRemoved } from '../../events/users.js';

/** Removes the files of pictures that no account uses any more; repeating it has no effect. */
@Injectable()
@RunsAsReactor()
export class RemoveReplacedAvatars implements Reactor {
  readonly name = 'remove-replaced-avatars';
  readonly on = on([UserAvatarChanged, UserAvatarRemoved], (event) => this.remove(event));

  constructor(private readonly files: EncryptedFiles) {}

  private async remove({
    data: { replacedName },
  }: Recorded<typeof UserAvatarChanged | typeof UserAvatarRemoved>): Promise<void> {
    if (replacedName !== null) await this.files.delete({ name: replacedName });
  }
}
