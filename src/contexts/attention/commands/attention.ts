import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { hasContentAccess } from '../../../access/channel-permissions.js';
import { KnownPeople } from '../../../access/known-people.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { normalizeTopic } from '../../../events/values/message-text.js';
import { Decisions } from '../../../http/decisions.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { attentionOf } from '../attention.state.js';
import {
  decideTopicVisibility,
  decideMutePerson,
  decideUnmutePerson,
  decideAddAlertWords,
  decideRemoveAlertWords,
} from '../attention.decide.js';
import { visibilityPolicies, type VisibilityPolicy } from '../../../events/attention.js';

/**
 * Mutes, unmutes or follows a topic for the caller (`POST /user_topics`, `PATCH
 * /users/me/subscriptions/muted_topics`).
 */
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

  /** @throws ApplicationError `invalidChannel` where the caller cannot read; removing a policy never fails */
  async execute({ caller, channel: name, wanted }: SetTopicVisibility): Promise<void> {
    const { snapshot, user } = this.decisions.actor(caller);
    const { directory } = snapshot;
    const channel = typeof name === 'number' ? directory.channel(name) : directory.channelByName(name);
    const isTakenBack = wanted.policy === visibilityPolicies.none;
    if (channel === null || !(isTakenBack || hasContentAccess(snapshot, user, channel))) {
      if (isTakenBack) return;
      throw failure('invalidChannel');
    }
    const topicPolicy = { channelId: channel.id, topic: normalizeTopic(wanted.topic), policy: wanted.policy };
    await this.decisions.decideAs(requestMetadata(caller, snapshot.now), attentionOf(user.id), (attention) =>
      decideTopicVisibility(attention, topicPolicy, { userId: user.id }),
    );
  }
}

/** Mutes or unmutes a person for the caller (`POST` and `DELETE /users/me/muted_users/{muted_user_id}`). */
export class MutePerson extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
    readonly isMuted: boolean,
  ) {
    super();
  }
}

@CommandHandler(MutePerson)
export class MutePersonHandler implements ICommandHandler<MutePerson> {
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
  ) {}

  /**
   * @throws ApplicationError `noSuchUser`, also for the server's own bots, and for somebody to mute who is hidden from the caller; and if
   * the person is muted, or not muted, already
   */
  async execute({ caller, userId, isMuted }: MutePerson): Promise<void> {
    const { snapshot, user } = this.decisions.actor(caller);
    const person = snapshot.directory.user(userId);
    if (person === null || person.bot?.isSystem === true) throw failure('noSuchUser');
    // Somebody who was muted before they were hidden can still be unmuted.
    if (isMuted && !(await this.people.predicateFor(user, snapshot))(person)) throw failure('noSuchUser');
    const decide = isMuted ? decideMutePerson : decideUnmutePerson;
    await this.decisions.decideAs(requestMetadata(caller, snapshot.now), attentionOf(user.id), (attention) =>
      decide(attention, userId, { userId: user.id }),
    );
  }
}

/**
 * Adds or removes alert words of the caller. Returns all of them (`POST` and `DELETE /users/me/alert_words`).
 */
export class ChangeAlertWords extends Command<readonly string[]> {
  constructor(
    readonly caller: Caller,
    readonly op: 'add' | 'remove',
    readonly words: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(ChangeAlertWords)
export class ChangeAlertWordsHandler implements ICommandHandler<ChangeAlertWords> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, op, words }: ChangeAlertWords): Promise<readonly string[]> {
    const decide = op === 'add' ? decideAddAlertWords : decideRemoveAlertWords;
    const { state } = await this.decisions.decide(caller, attentionOf(caller.userId), (attention, { user }) =>
      decide(attention, words, { userId: user.id, isBot: user.bot !== null }),
    );
    return state.alertWords;
  }
}
