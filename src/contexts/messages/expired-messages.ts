import { Injectable } from '@nestjs/common';
import type { Job } from '../../../projections/engine/job.js';
import { RunsAsJob } from '../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Snapshot } from '../../access/snapshot.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { MessageDocument } from './message-document.js';
import { MessageReader } from './message-reader.js';
import type { MessageToDelete } from './deletion.decide.js';
import { deleteByServer, deletionFields } from './message-deletion.js';

/** How many messages are deleted at a look at most; the rest follow at the next. */
const atOnce = 1000;

/** So many are looked up, and their streams written to, at a time. */
const pageSize = 100;

const secondsPerDay = 86_400;

/** Where messages are kept for a limited time. */
export interface LimitedRetention {
  /** Null: direct messages. */
  readonly channelId: number | null;
  /** What was sent before this is deleted; seconds since the UNIX epoch. */
  readonly keptSince: number;
}

/**
 * Where messages do not stay for ever: in channels, as they have it or else as the organization does, and in direct messages
 * (specification, "Subscription", `message_retention_days`).
 */
export function limitedRetentions({ directory, now }: Snapshot): readonly LimitedRetention[] {
  const usual = directory.organization?.settings.message_retention_days ?? keptForEver;
  const places = [
    { channelId: null, days: usual },
    ...[...directory.channels()].map(({ id, messageRetentionDays }) => ({
      channelId: id,
      days: messageRetentionDays ?? usual,
    })),
  ];
  return places
    .filter(({ days }) => days !== keptForEver)
    .map(({ channelId, days }) => ({ channelId, keptSince: now / 1000 - days * secondsPerDay }));
}

const keptForEver = -1;

/**
 * Deletes messages that are older than they are to become. Which those are is looked up in the read model; whether one still
 * exists is decided on its own stream, so that it is deleted once, however late the model is and however often this runs.
 */
@Injectable()
@RunsAsJob()
export class ExpiredMessages implements Job {
  readonly name = 'delete-expired-messages';
  readonly everyMilliseconds = 10_000;
  readonly perform = (): Promise<void> => this.deleteExpired();

  constructor(
    private readonly follower: DirectoryFollower,
    private readonly messages: MessageReader,
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
  ) {}

  private async deleteExpired(): Promise<void> {
    const snapshot = { directory: this.follower.current(), now: this.clock.now() };
    let left = atOnce;
    for (const retention of limitedRetentions(snapshot)) {
      left -= await this.deleteFrom(retention, left);
      if (left <= 0) return;
    }
  }

  /** Answers how many messages it deleted. */
  private async deleteFrom(retention: LimitedRetention, atMost: number): Promise<number> {
    let deleted = 0;
    for (let after = 0; deleted < atMost;) {
      const oldest = await this.oldest(retention, { after, limit: Math.min(pageSize, atMost - deleted) });
      // Ids rise with time, so that nothing needs to be looked at behind the first that stays.
      const expired = oldest.filter(({ timestamp }) => timestamp < retention.keptSince);
      await Promise.all(expired.map((message) => this.delete(message)));
      deleted += expired.length;
      if (expired.length === 0 || expired.length < oldest.length) break;
      after = oldest.at(-1)!._id;
    }
    return deleted;
  }

  private async oldest(
    { channelId }: LimitedRetention,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly (MessageToDelete & Pick<MessageDocument, 'timestamp'>)[]> {
    const model = await this.messages.model();
    return model
      .collection<MessageDocument>('messages')
      .find(
        { channelId, _id: { $gt: after } },
        { sort: { _id: 1 }, limit, projection: { ...deletionFields, timestamp: 1 } },
      );
  }

  private delete(message: MessageToDelete): Promise<void> {
    return deleteByServer(this.streams, message, {
      commandId: commandIdOf([this.name, String(message._id)]),
      causationId: null,
      at: this.clock.now(),
    });
  }
}
