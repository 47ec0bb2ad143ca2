import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { attentionOf } from '../attention.js';
import { decideMutePerson, decideUnmutePerson } from '../attention.decide.js';

/** Mutes a person for the caller, or takes that back (facts, section 5, muted_users). */
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
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `noSuchUser`, also for the server's own bots, and for what is so already */
  async execute({ caller, userId, isMuted }: MutePerson): Promise<void> {
    const { moment, user } = this.decisions.actor(caller);
    const person = moment.directory.user(userId);
    if (person === null || person.bot?.isSystem === true) throw failure('noSuchUser');
    const decide = isMuted ? decideMutePerson : decideUnmutePerson;
    await this.decisions.decide(caller, attentionOf(user.id), (attention) =>
      decide(attention, userId, { userId: user.id }),
    );
  }
}
