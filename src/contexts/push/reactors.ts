import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import { ApiKeyRegenerated } from '../../events/users.js';
import { Decisions } from '../../http/decisions.js';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { SERVER_CLIENT } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { decideEndPush } from './devices.decide.js';
import { foldedDevices } from './devices.state.js';

const NAME = 'end-push-registrations';

/**
 * Ends the push registrations of somebody whose API keys were regenerated, because one of the devices may have been
 * lost (docs/api/devices.md). Apps register again once they have a new key. Replies wait for it.
 */
@Injectable()
@RunsAsReactor({ awaited: true })
export class EndPushRegistrations implements Reactor {
  readonly name = NAME;
  readonly on = on(ApiKeyRegenerated, (event) => this.end(event));

  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async end({ id, data: { userId }, metadata }: Recorded<typeof ApiKeyRegenerated>): Promise<void> {
    const cause = {
      actorId: metadata.actorId,
      commandId: commandIdOf([NAME, id]),
      causationId: id,
      client: SERVER_CLIENT,
      at: this.clock.now(),
    };
    await this.decisions.record(cause, foldedDevices, (devices) =>
      decideEndPush(devices, { userId, before: metadata.at }),
    );
  }
}
