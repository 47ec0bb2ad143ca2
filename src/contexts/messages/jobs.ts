import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Snapshot } from '../../access/snapshot.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { Decisions } from '../../http/decisions.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { MessageDocument } from './message-document.js';
import { MessageReader } from './message-reader.js';
import type { MessageToDelete } from './deletion/deletion.decide.js';
import { deleteByServer, deletionFields } from './deletion/message-deletion.js';

/** How many messages one run deletes at most; the rest are deleted by the next runs. */
const AT_ONCE = 1000;

/** How many messages are looked up, and deleted, at a time. */
const PAGE_SIZE = 100;

const SECONDS_PER_DAY = 86_400;

/** A place where messages are kept for a limited time. */
interface LimitedRetention {
  /** Null: all direct messages. */
  readonly channelId: number | null;
  /** Messages sent before this are deleted; seconds since the UNIX epoch. */
  readonly keptSince: number;
}

/**
 * The places with limited retention: channels by their own setting or else the organization's, and direct
 * messages (member `message_retention_days` of channels).
 */
export function limitedRetentions({ directory, now }: Snapshot): readonly LimitedRetention[] {
  const usual = directory.organization?.settings.message_retention_days ?? KEPT_FOR_EVER;
  const places = [
    { channelId: null, days: usual },
    ...[...directory.channels()].map(({ id, messageRetentionDays }) => ({
      channelId: id,
      days: messageRetentionDays ?? usual,
    })),
  ];
  return places
    .filter(({ days }) => days !== KEPT_FOR_EVER)
    .map(({ channelId, days }) => ({ channelId, keptSince: now / 1000 - days * SECONDS_PER_DAY }));
}

const KEPT_FOR_EVER = -1;

/**
 * Deletes messages that are older than their retention time. They are looked up in the read model; whether
 * one still exists is decided on its own stream, so each is deleted once even if the model lags or this runs
 * twice.
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
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async deleteExpired(): Promise<void> {
    const snapshot = { directory: this.follower.current(), now: this.clock.now() };
    let left = AT_ONCE;
    for (const retention of limitedRetentions(snapshot)) {
      left -= await this.deleteFrom(retention, left);
      if (left <= 0) return;
    }
  }

  /** Returns how many messages it deleted. */
  private async deleteFrom(retention: LimitedRetention, atMost: number): Promise<number> {
    let deleted = 0;
    for (let after = 0; deleted < atMost;) {
      const oldest = await this.oldest(retention, { after, limit: Math.min(PAGE_SIZE, atMost - deleted) });
      // Ids rise with time: all messages after the first that is kept are newer still.
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
    return deleteByServer(this.decisions, message, {
      commandId: commandIdOf([this.name, String(message._id)]),
      causationId: null,
      at: this.clock.now(),
    });
  }
}
