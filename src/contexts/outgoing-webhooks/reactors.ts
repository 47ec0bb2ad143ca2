import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { MessageSent, storedUserIds } from '../../events/messages.js';
import type { Recorded } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import { on } from '../../kernel/event-handlers.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { Decisions } from '../../http/decisions.js';
import { foldedCalls } from './calls.state.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { ownersIn } from '../../access/account-owners.js';
import { decideCalls, webhookBotsIn } from './calls.decide.js';

const NAME = 'note-outgoing-webhooks';

/**
 * Records which outgoing webhook bots a message is for: those that it mentions by name, or that it is sent
 * to. Messages of bots cause no calls.
 */
@Injectable()
@RunsAsReactor()
export class NoteCalls implements Reactor {
  readonly name = NAME;
  readonly on = on(MessageSent, (event) => this.note(event));

  /** The addressee of a message is not encrypted. */
  readonly skipsDecryption = true;

  /** Most channel messages mention nobody. */
  readonly concerns = ({ data }: PersistedEvent): boolean =>
    [data['recipient'], data['mentions']].some((part) => storedUserIds(part).length > 0);

  constructor(
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async note(event: Recorded<typeof MessageSent>): Promise<void> {
    const directory = this.follower.current();
    const botIds = webhookBotsIn(event.data, directory);
    if (botIds.length === 0) return;
    const messageId = idAtRevision(event.revision);
    const trigger = event.data.recipient.type === 'direct' ? 'direct_message' : 'mention';
    const metadata = serverMetadata(commandIdOf([NAME, event.id]), this.clock.now(), event.id);
    await this.decisions.record(metadata, foldedCalls, (calls) =>
      decideCalls(calls, { messageId, botIds, trigger }, ownersIn(directory)),
    );
  }
}
