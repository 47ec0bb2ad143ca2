import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import type { PersistedEvent } from '../../../stores/event-store/port.js';
import { handlers, on } from '../../../kernel/on.js';
import { MessageSent, ReactionAdded } from '../../../events/messages.js';
import { SubmessageAttached } from '../../../events/submessages.js';
import { AutomaticTopicPolicies } from '../automatic-topic-policies.js';

/**
 * Appends what messages, and what people do to them, make of their topics for those concerned: it stands in the streams of people. The
 * commands' handlers do the same before they reply, so no reply waits for this: it catches up after a crash.
 */
@Injectable()
@RunsAsReactor()
export class FollowTopics implements Reactor {
  readonly name = 'follow-topics';
  readonly on = handlers(
    on(MessageSent, async (event) => {
      await this.topicPolicies.afterSending(event);
    }),
    on([ReactionAdded, SubmessageAttached], (event) => this.topicPolicies.afterTakingPart(event)),
  );

  /** Few messages change a topic for anybody. */
  readonly concerns = ({ type, data }: PersistedEvent): boolean =>
    type !== 'MessageSent' || data['topicWishes'] !== undefined;

  constructor(private readonly topicPolicies: AutomaticTopicPolicies) {}
}
