import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { hasContentAccess } from '../../../access/channel-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { normalizeTopic } from '../../../events/values/message-text.js';
import { Decisions } from '../../../http/decisions.js';
import { attentionOf } from '../attention.js';
import { decideTopicVisibility } from '../attention.decide.js';
import { visibilityPolicies, type VisibilityPolicy } from '../../../events/attention.js';

/** Mutes, unmutes or follows a topic for the caller (facts, section 5, user_topics and muted_topics). */
export class SetTopicVisibility extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** By id, or by name in any case. */
    readonly channel: number | string,
    readonly wanted: { readonly topic: string; readonly policy: VisibilityPolicy },
  ) {
    super();
  }
}

@CommandHandler(SetTopicVisibility)
export class SetTopicVisibilityHandler implements ICommandHandler<SetTopicVisibility> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `invalidChannel` where the caller cannot read; taking a setting back never fails */
  async execute({ caller, channel: name, wanted }: SetTopicVisibility): Promise<void> {
    const { moment, user } = this.decisions.actor(caller);
    const { directory } = moment;
    const channel = typeof name === 'number' ? directory.channel(name) : directory.channelByName(name);
    const isTakenBack = wanted.policy === visibilityPolicies.none;
    if (channel === null || !(isTakenBack || hasContentAccess(moment, user, channel))) {
      if (isTakenBack) return;
      throw failure('invalidChannel');
    }
    const topicPolicy = { channelId: channel.id, topic: normalizeTopic(wanted.topic), policy: wanted.policy };
    await this.decisions.decide(caller, attentionOf(user.id), (attention) =>
      decideTopicVisibility(attention, topicPolicy, { userId: user.id }),
    );
  }
}
