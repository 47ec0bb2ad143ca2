import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import type { MessageSent, ReactionAdded } from '../events.js';
import { TopicWishes } from '../topic-wishes.js';

type Sent = RecordedEvent<EventOf<typeof MessageSent>>;
type Reacted = RecordedEvent<EventOf<typeof ReactionAdded>>;

/**
 * Appends what messages and reactions make of their topics for those concerned: it stands in the streams of people. The
 * commands' handlers do the same before they reply, so no reply waits for this: it catches up after a crash.
 */
@Injectable()
export class FollowTopics implements Reactor {
  readonly name = 'follow-topics';
  readonly on = {
    MessageSent: async (event: RecordedEvent): Promise<void> => {
      await this.wishes.afterSending(event as unknown as Sent);
    },
    ReactionAdded: (event: RecordedEvent) => this.wishes.afterReacting(event as unknown as Reacted),
  };

  constructor(private readonly wishes: TopicWishes) {}
}
