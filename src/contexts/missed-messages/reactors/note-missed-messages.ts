import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { AttentionReader } from '../../attention/attention-reader.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import { WrongExpectedRevisionError } from '../../../stores/event-store/port.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { MessageSent } from '../../../events/messages.js';
import { PresenceBoard } from '../../presence/presence-board.js';
import { isOnline } from '../../presence/presence.js';
import { reachableDevicesOf } from '../../push/devices.state.js';
import { PushSender } from '../../push/push-sender.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { ChannelListeners } from '../channel-listeners.js';
import { whoMisses } from '../who-misses.js';
import { missedStream } from '../missed-messages.state.js';

const name = 'note-missed-messages';

/** Milliseconds: after downtime, older messages cause no notifications. */
const oldest = 24 * 3_600_000;

/**
 * Records who must be notified of a message because they are away. This is decided once, right after it was
 * sent.
 */
@Injectable()
@RunsAsReactor()
export class NoteMissedMessages implements Reactor {
  readonly name = name;
  readonly on = on(MessageSent, (event) => this.note(event));

  /** Who misses a message does not depend on its encrypted content. */
  readonly clearOnly = true;

  private readonly listeners = new ChannelListeners();

  constructor(
    private readonly attention: AttentionReader,
    private readonly presence: PresenceBoard,
    private readonly push: PushSender,
    private readonly log: EventLog,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async note(event: Recorded<typeof MessageSent>): Promise<void> {
    const now = this.clock.now();
    if (now - event.metadata.at > oldest) return;
    const { recipient } = event.data;
    const policies =
      recipient.type === 'direct'
        ? new Map()
        : await this.attention.policiesFor(recipient.channelId, recipient.topic);
    const snapshot = { directory: this.follower.current(), now };
    const devices = this.push.relay === null ? null : await this.push.devices();
    const messageId = idAtRevision(event.revision);
    const missed = whoMisses(messageId, event.data, {
      snapshot,
      policies,
      listeners: recipient.type === 'direct' ? [] : this.listeners.in(snapshot, recipient.channelId),
      isPresent: (userId) => {
        const presence = this.presence.of(userId);
        return presence !== null && isOnline(presence, now);
      },
      hasDevice: (userId) => devices !== null && reachableDevicesOf(devices, userId).length > 0,
    });
    if (missed !== null) await this.append(missed, event);
  }

  private async append(
    data: object & { readonly messageId: number },
    { id }: Recorded<typeof MessageSent>,
  ): Promise<void> {
    const target = { stream: missedStream(data.messageId), expected: 'no-stream' } as const;
    try {
      await this.log.append(
        target,
        [{ type: 'MessageMissed', data }],
        serverMetadata(commandIdOf([name, id]), this.clock.now(), id),
      );
    } catch (error) {
      // It was recorded before, perhaps with other people: the first record is valid.
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
    }
  }
}
