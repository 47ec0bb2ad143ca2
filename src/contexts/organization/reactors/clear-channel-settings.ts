import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { ChannelArchived } from '../../../events/channels.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import { Decisions } from '../../../http/decisions.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { withoutChannel } from '../organization.decide.js';
import { foldedOrganization } from '../../../access/records/organization.js';

const name = 'clear-channel-settings';

/** Removes an archived channel from the organization's settings, because nothing can be sent to it. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ClearChannelSettings implements Reactor {
  readonly name = name;
  readonly on = on(ChannelArchived, (event) => this.clear(event));

  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async clear({ id, data: { channelId } }: Recorded<typeof ChannelArchived>): Promise<void> {
    const metadata = serverMetadata(commandIdOf([name, id]), this.clock.now(), id);
    await this.decisions.decideAs(metadata, foldedOrganization, (organization) =>
      organization === null ? [] : withoutChannel(organization, channelId),
    );
  }
}
