import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import type { PersistedEvent } from '../../event-store/port.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import type { MessageSent } from '../events.js';
import { TopicWishes, type TakingPart } from '../topic-wishes.js';

type Sent = RecordedEvent<EventOf<typeof MessageSent>>;

/**
 * Appends what messages, and what people do to them, make of their topics for those concerned: it stands in the streams of people. The
 * commands' handlers do the same before they reply, so no reply waits for this: it catches up after a crash.
 */
@Injectable()
@RunsAsReactor()
export class FollowTopics implements Reactor {
  readonly name = 'follow-topics';
  readonly on = {
    MessageSent: async (event: RecordedEvent): Promise<void> => {
      await this.wishes.afterSending(event as unknown as Sent);
    },
    ReactionAdded: (event: RecordedEvent) => this.wishes.afterTakingPart(event as unknown as TakingPart),
    SubmessageAttached: (event: RecordedEvent) => this.wishes.afterTakingPart(event as unknown as TakingPart),
  };

  /** Few messages change a topic for anybody. */
  readonly concerns = ({ type, data }: PersistedEvent): boolean =>
    type !== 'MessageSent' || data['topicWishes'] !== undefined;

  constructor(private readonly wishes: TopicWishes) {}
}
