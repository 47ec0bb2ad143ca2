import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { PerDirectoryState } from '../../../access/directory.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { MessageSent } from '../../../events/messages.js';
import type { Recorded } from '../../../kernel/event.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { on } from '../../../kernel/event-handlers.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { appendIfFirst } from '../../../stores/event-store/append-if-first.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import { AttentionReader } from '../../attention/attention-reader.js';
import { isOnline } from '../../presence/presence.js';
import { PresenceBoard } from '../../presence/presence-board.js';
import { reachableDevicesOf } from '../../push/devices.state.js';
import { PushSender } from '../../push/push-sender.js';
import { missedStream } from '../missed-messages.state.js';
import { decideMissed, notifiedSubscribers } from '../who-misses.decide.js';

const NAME = 'note-missed-messages';

/** Milliseconds: after downtime, older messages cause no notifications. */
const OLDEST = 24 * 3_600_000;

/**
 * Records who must be notified of a message because they are away. This is decided once, right after it was
 * sent.
 */
@Injectable()
@RunsAsReactor()
export class NoteMissedMessages implements Reactor {
  readonly name = NAME;
  readonly on = on(MessageSent, (event) => this.note(event));

  /** Who misses a message does not depend on its encrypted content. */
  readonly skipsDecryption = true;

  /** By channel: who wants notifications about every message. */
  private readonly listeners = new PerDirectoryState<Map<number, readonly number[]>>();

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
    if (now - event.metadata.at > OLDEST) return;
    const { recipient } = event.data;
    const policies =
      recipient.type === 'direct'
        ? new Map()
        : await this.attention.policiesFor(recipient.channelId, recipient.topic);
    const snapshot = { directory: this.follower.current(), now };
    const devices = this.push.relay === null ? null : await this.push.devices();
    const messageId = idAtRevision(event.revision);
    const events = decideMissed(messageId, event.data, {
      snapshot,
      policies,
      listeners: recipient.type === 'direct' ? [] : this.listenersOf(snapshot, recipient.channelId),
      isPresent: (userId) => {
        const presence = this.presence.of(userId);
        return presence !== null && isOnline(presence, now);
      },
      hasDevice: (userId) => devices !== null && reachableDevicesOf(devices, userId).length > 0,
    });
    if (events.length === 0) return;
    const target = { stream: missedStream(messageId), expected: 'no-stream' } as const;
    const metadata = serverMetadata(commandIdOf([NAME, event.id]), this.clock.now(), event.id);
    // If it was recorded before, perhaps with other people, the first record is valid. Not a decision about the
    // stream, because that reads the stream first, and this is done for every message.
    await appendIfFirst(this.log, { target, events, metadata });
  }

  /** Who wants notifications about every message of a channel, by this state of the directory. */
  private listenersOf(snapshot: Snapshot, channelId: number): readonly number[] {
    const known = this.listeners.of(snapshot.directory, () => new Map());
    const listeners = known.get(channelId) ?? notifiedSubscribers(snapshot, channelId);
    known.set(channelId, listeners);
    return listeners;
  }
}
