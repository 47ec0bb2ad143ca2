import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { foldedOrganization } from '../../access/records/organization.js';
import { ChannelArchived } from '../../events/channels.js';
import { OrganizationPictureChanged, OrganizationPictureRemoved } from '../../events/organization.js';
import { Decisions } from '../../http/decisions.js';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { withoutChannel } from './organization.decide.js';

const NAME = 'clear-channel-settings';

/** Removes an archived channel from the organization's settings, because nothing can be sent to it. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ClearChannelSettings implements Reactor {
  readonly name = NAME;
  readonly on = on(ChannelArchived, (event) => this.clear(event));

  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async clear({ id, data: { channelId } }: Recorded<typeof ChannelArchived>): Promise<void> {
    const metadata = serverMetadata(commandIdOf([NAME, id]), this.clock.now(), id);
    await this.decisions.record(metadata, foldedOrganization, (organization) =>
      organization === null ? [] : withoutChannel(organization, channelId),
    );
  }
}

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
