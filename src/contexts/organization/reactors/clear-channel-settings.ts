import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { ChannelArchived } from '../../../events/channels.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import { handle } from '../../../kernel/handle.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { withoutChannel } from '../organization-changes.js';
import {
  organizationFold,
  organizationStream,
  type Organization,
} from '../../../access/records/organization.js';

const name = 'clear-channel-settings';

/** Lets no setting of the organization name a channel that was archived: nothing can be said there. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ClearChannelSettings implements Reactor {
  readonly name = name;
  readonly on = on(ChannelArchived, (event) => this.clear(event));

  constructor(
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
  ) {}

  private async clear({ id, data: { channelId } }: Recorded<typeof ChannelArchived>): Promise<void> {
    await handle(this.streams, {
      stream: organizationStream,
      fold: organizationFold,
      decide: (organization: Organization | null) =>
        organization === null ? [] : withoutChannel(organization, channelId),
      metadata: serverMetadata(commandIdOf([name, id]), this.clock.now(), id),
    });
  }
}
