import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ownerOfBot } from '../../access/account-owners.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { User } from '../../access/records/user.js';
import type { Recipient } from '../../events/messages.js';
import { ApplicationError } from '../../kernel/errors.js';
import { plainMarkdown } from '../../markdown/written-names.js';
import { NoticeSender } from '../channels/notices.js';
import type { Addressee } from './sending/recipients.js';

/** Milliseconds in which an owner is notified of failures of one bot at most once. */
const QUIET_FOR = 300_000;

/** Code points of a channel name given by a bot that are shown to its owner. */
const MAX_NAME_LENGTH = 100;

/**
 * Notifies owners when messages of their bots reached nobody, as the program behind a bot rarely has anyone
 * who reads its errors. Which notifications were sent is kept in this process's memory only.
 */
@Injectable()
export class BotFailures {
  private readonly notified = new LRUCache<string, true>({ max: 1_000, ttl: QUIET_FOR });

  constructor(
    private readonly follower: DirectoryFollower,
    private readonly notices: NoticeSender,
  ) {}

  /**
   * Handles a refused message: notifies the sender's owner if the sender is a bot and the channel is the
   * reason.
   */
  async refused(senderId: number, to: Addressee, error: unknown): Promise<void> {
    if (!(error instanceof ApplicationError) || error.code !== 'STREAM_DOES_NOT_EXIST') return;
    if (to.type !== 'channel' || to.channel === null) return;
    const named =
      typeof to.channel === 'number'
        ? `with the ID ${to.channel}`
        : `“${plainMarkdown([...to.channel].slice(0, MAX_NAME_LENGTH).join(''))}”`;
    await this.notify(
      senderId,
      (bot) =>
        `Your bot ${bot} tried to send a message to the channel ${named}, which does not exist, or which it may not write to.`,
    );
  }

  /**
   * Handles a sent message: notifies the sender's owner if the sender is a bot and nobody is subscribed to
   * the channel.
   */
  async sent(senderId: number, recipient: Recipient): Promise<void> {
    if (recipient.type !== 'channel' || this.botOf(senderId) === null) return;
    const directory = this.follower.current();
    if (directory.subscriberIds(recipient.channelId).length > 0) return;
    const name = plainMarkdown(directory.channel(recipient.channelId)?.name ?? '');
    await this.notify(
      senderId,
      (bot) => `Your bot ${bot} sent a message to the channel “${name}”, to which nobody is subscribed.`,
    );
  }

  private async notify(senderId: number, textFor: (bot: string) => string): Promise<void> {
    const bot = this.botOf(senderId);
    if (bot === null) return;
    const owner = ownerOfBot(this.follower.current(), bot);
    if (owner?.isActive !== true) return;
    const content = textFor(plainMarkdown(bot.fullName));
    const key = `${senderId} ${owner.id}`;
    if (this.notified.has(key)) return;
    this.notified.set(key, true);
    await this.notices.send({ to: { userIds: [owner.id] }, content, causationId: null });
  }

  /** Null: the account is not a bot, or is one of the server's own. */
  private botOf(userId: number): User | null {
    const user = this.follower.current().user(userId);
    return user?.bot == null || user.bot.isSystem ? null : user;
  }
}
