import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import type { PersistedEvent } from '../../../stores/event-store/port.js';
import { handlers, on } from '../../../kernel/event-handlers.js';
import { MessageSent, ReactionAdded } from '../../../events/messages.js';
import { SubmessageAttached } from '../../../events/submessages.js';
import { AutomaticTopicPolicies } from '../sending/automatic-topic-policies.js';

/**
 * Appends the topic policies that follow from messages, reactions and submessages to the streams of the
 * people concerned. No reply waits for this reactor: the command handlers themselves do before they reply what
 * concerns few people. It does the rest, and catches up after a crash.
 */
@Injectable()
@RunsAsReactor()
export class FollowTopics implements Reactor {
  readonly name = 'follow-topics';
  readonly on = handlers(
    on(MessageSent, (event) => this.topicPolicies.afterSending(event)),
    on([ReactionAdded, SubmessageAttached], (event) => this.topicPolicies.afterParticipation(event)),
  );

  /** Most messages change no topic policy. */
  readonly concerns = ({ type, data }: PersistedEvent): boolean =>
    type !== 'MessageSent' || data['topicWishes'] !== undefined;

  constructor(private readonly topicPolicies: AutomaticTopicPolicies) {}
}
