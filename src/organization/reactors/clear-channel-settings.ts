import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import type { ChannelArchived } from '../../channels/events.js';
import { serverMetadata } from '../../event-store/command-metadata.js';
import { commandIdOf } from '../../event-store/event-id.js';
import { FoldedStreams } from '../../event-store/folded-streams.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { SystemClock } from '../../system-clock.js';
import { withoutChannel } from '../organization-changes.js';
import { organizationFold, organizationStream, type Organization } from '../organization.js';

const name = 'clear-channel-settings';

type Archived = RecordedEvent<EventOf<typeof ChannelArchived>>;

/** Lets no setting of the organization name a channel that was archived: nothing can be said there. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ClearChannelSettings implements Reactor {
  readonly name = name;
  readonly on = {
    ChannelArchived: (event: RecordedEvent) => this.clear(event as unknown as Archived),
  };

  constructor(
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
  ) {}

  private async clear({ id, data: { channelId } }: Archived): Promise<void> {
    await handle(this.streams, {
      stream: organizationStream,
      fold: organizationFold,
      decide: (organization: Organization | null) =>
        organization === null ? [] : withoutChannel(organization, channelId),
      metadata: serverMetadata(commandIdOf([name, id]), this.clock.now(), id),
    });
  }
}
