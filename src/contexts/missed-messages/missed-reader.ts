import { Injectable } from '@nestjs/common';
import {
  missedMessagesModel,
  type MissedMailDocument,
  type MissedPushDocument,
  type ShownDocument,
} from './read-model.js';
import { MessageReader } from '../messages/message-reader.js';
import { flagsOf } from '../messages/view/flags.js';
import type { MessageDocument } from '../messages/message-document.js';
import type { Collection, Keyed } from '../../stores/read-store/port.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import { loadInSteps } from './load-in-steps.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';
import { hasId, type IdRanges } from '../messages/flags/id-ranges.js';

/** The present state of messages that a person was to be notified of. */
interface MissedNow {
  /** Those that they can see and have not read, in their order. */
  readonly unread: readonly MessageDocument[];
  /** Ids of those that need no notification any more: read, deleted, or not visible. */
  readonly passedIds: readonly number[];
}

/** Milliseconds: a message that the read model does not have yet counts as deleted only after this time. */
const MAX_LAG = 60_000;

/** For each person: older notifications have long disappeared from any device. */
const MAX_SHOWN = 1_000;

/** Reads the model of missed messages, and their present state. */
@Injectable()
export class MissedReader {
  constructor(
    private readonly models: ServingModels,
    private readonly messages: MessageReader,
  ) {}

  mails(): Promise<Collection<MissedMailDocument>> {
    return this.collection('mails');
  }

  pushes(): Promise<Collection<MissedPushDocument>> {
    return this.collection('pushes');
  }

  /** Ids of messages within these ranges whose notifications a person's devices show, in rising order. */
  async shownIn(userId: number, ranges: IdRanges, limit: number): Promise<readonly number[]> {
    const shown = await this.collection<ShownDocument>('shown');
    const all = await shown.find({ userId }, { sort: { messageId: -1 }, limit: MAX_SHOWN });
    const read = all.map(({ messageId }) => messageId).filter((id) => hasId(ranges, id));
    return read.slice(0, limit).sort((one, other) => one - other);
  }

  /** @param now milliseconds since the UNIX epoch */
  async examine(userId: number, missed: readonly MissedPushDocument[], now: number): Promise<MissedNow> {
    const ids = missed.map(({ messageId }) => messageId);
    const [session, existing] = await Promise.all([
      this.messages.open({ userId }),
      this.messages.cached(ids),
    ]);
    const seen = await loadInSteps(session, await session.byIds(ids, []), new TimeSlice());
    const visible = new Map(seen.map((document) => [document._id, document]));
    const unread: MessageDocument[] = [];
    const passedIds: number[] = [];
    for (const { messageId, notedAt } of missed) {
      const message = visible.get(messageId);
      if (message !== undefined && !flagsOf(message, session.context).includes('read')) unread.push(message);
      else if (existing.has(messageId) || now - notedAt > MAX_LAG) passedIds.push(messageId);
      else if ((await this.messages.deletion(messageId)) !== null) passedIds.push(messageId);
    }
    return { unread, passedIds };
  }

  private async collection<D extends Keyed>(name: string): Promise<Collection<D>> {
    const model = await this.models.get(missedMessagesModel.name, missedMessagesModel.collections);
    return model.collection<D>(name);
  }
}
