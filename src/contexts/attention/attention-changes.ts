import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Moment } from '../../access/moment.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { User } from '../../access/records/user.js';
import {
  attentionFold,
  attentionStream,
  automaticAttentionFold,
  noAttention,
  type Attention,
} from './attention.js';
import type { AttentionEvent } from '../../events/attention.js';

/** Decides about what people want to hear of, each on their own stream. */
@Injectable()
export class AttentionChanges {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** Who asks, and the organization as they find it. @throws ApplicationError `invalidApiKey` when the account is gone */
  acting({ userId }: Caller): { readonly moment: Moment; readonly user: User } {
    const moment: Moment = { directory: this.follower.current(), now: this.clock.now() };
    const user = moment.directory.user(userId);
    if (user === null) throw failure('invalidApiKey');
    return { moment, user };
  }

  /**
   * Appends what another event makes of a person's choices, unless that was done before. Answers what was appended by now; null:
   * nothing was to change.
   */
  async follow(
    userId: number,
    { id: causeId, metadata }: Pick<RecordedEvent, 'id' | 'metadata'>,
    decide: (attention: Attention) => readonly AttentionEvent[],
  ): Promise<readonly AttentionEvent[] | null> {
    const appended = await handle(this.streams, {
      stream: attentionStream(userId),
      fold: automaticAttentionFold,
      decide: ({ attention, completed }) => (completed.has(causeId) ? [] : decide(attention)),
      metadata: {
        ...metadata,
        commandId: commandIdOf(['follow-attention', causeId, String(userId)]),
        causationId: causeId,
        at: this.clock.now(),
      },
    });
    return appended?.events ?? null;
  }

  /** Appends what a rule makes of the caller's choices. Answers what they then are. */
  async apply(
    caller: Caller,
    decide: (attention: Attention) => readonly AttentionEvent[],
  ): Promise<Attention> {
    let before = noAttention;
    const appended = await handle(this.streams, {
      stream: attentionStream(caller.userId),
      fold: attentionFold,
      decide: (attention) => {
        before = attention;
        return decide(attention);
      },
      metadata: requestMetadata(caller, this.clock.now()),
    });
    return (appended?.events ?? []).reduce(attentionFold.evolve, before);
  }
}
