import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { Caller } from '../../../http/caller.js';
import { SetSubscriptionProperties } from '../../channels/commands/subscriptions.js';
import { Decisions } from '../../../http/decisions.js';
import { decideChangeSettings } from '../../settings/settings.decide.js';
import { ownSettingsOf } from '../../settings/settings.state.js';
import { UnsubscribeLinks, type FollowedUnsubscribeLink } from '../unsubscribe-links.js';

/** Turns off the one setting that an unsubscribe link names (RFC 8058). Returns which one. */
export class Unsubscribe extends Command<FollowedUnsubscribeLink> {
  constructor(
    readonly token: string,
    /** The client program and the id of the request. */
    readonly by: Omit<Caller, 'userId'>,
  ) {
    super();
  }
}

@CommandHandler(Unsubscribe)
export class UnsubscribeHandler implements ICommandHandler<Unsubscribe> {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly commands: CommandBus,
  ) {}

  /**
   * The actor is the person to whom the link was mailed. Repeating it changes nothing.
   *
   * @throws ApplicationError `linkInvalid`
   */
  async execute({ token, by }: Unsubscribe): Promise<FollowedUnsubscribeLink> {
    const followed = this.links.follow(token);
    const { user, choice } = followed;
    const caller = { ...by, userId: user.id };
    if (choice.kind === 'channel') await this.leaveOut(choice.channelId, caller);
    else await this.switchOff({ [choice.name]: false }, caller);
    return followed;
  }

  private async switchOff(settings: Record<string, false>, caller: Caller): Promise<void> {
    const { userId } = caller;
    const directory = this.follower.current();
    await this.decisions.decide(caller, ownSettingsOf(userId), (own) =>
      decideChangeSettings(own, settings, { userId, directory }),
    );
  }

  /** A person who has left the channel gets no e-mails about it anyway. */
  private async leaveOut(channelId: number, caller: Caller): Promise<void> {
    const subscription = this.follower.current().subscription(channelId, caller.userId);
    if (subscription === null || !isSubscribed(subscription)) return;
    const request = { channelId, property: 'email_notifications', value: false };
    await this.commands.execute(new SetSubscriptionProperties(caller, [request]));
  }
}
