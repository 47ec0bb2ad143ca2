import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { hash } from 'node:crypto';
import { maySendTo } from '../../directory/channel-permissions.js';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import { commandIdOf } from '../../event-store/event-id.js';
import { failure } from '../../kernel/errors.js';
import { SendMessage } from '../../messages/commands/send-message.js';
import { SystemClock } from '../../system-clock.js';
import type { ChannelAddress } from '../channel-address.js';
import { GatewayBot } from '../gateway-bot.js';
import { maySendAs } from '../queries/get-channel-address.js';
import type { ReceivedMail } from '../read-mail.js';

/** Says in a channel what a mail said. The same mail, delivered again, is said once. */
export class PostMail extends Command<void> {
  constructor(
    readonly address: ChannelAddress,
    readonly mail: ReceivedMail,
  ) {
    super();
  }
}

/** The name of the client that mail is. */
const mailClient = 'email_mirror';

@CommandHandler(PostMail)
export class PostMailHandler implements ICommandHandler<PostMail> {
  constructor(
    private readonly commands: CommandBus,
    private readonly gateway: GatewayBot,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ApplicationError where whoever asked for the address, or its sender, may not post there any more */
  async execute({ address: { channelId, requesterId, senderId }, mail }: PostMail): Promise<void> {
    const moment = { directory: this.follower.current(), now: this.clock.now() };
    const requester = moment.directory.user(requesterId);
    const channel = moment.directory.channel(channelId);
    if (channel === null || requester?.isActive !== true) throw failure('invalidChannel');
    if (!maySendTo(moment, requester, channel)) throw failure('insufficientPermission');
    if (senderId !== null && !maySendAs(moment, requester, senderId)) throw failure('invalidMailSender');
    const from = senderId === null && mail.from !== null ? `**From:** ${mail.from}\n\n` : '';
    const sender = {
      userId: senderId ?? (await this.gateway.id()),
      client: mailClient,
      requestId: `mail-${hash('sha256', mail.id).slice(0, 16)}`,
    };
    const to = { type: 'channel', channel: channelId, topic: mail.topic } as const;
    const content = `${from}${mail.content || '(No email body)'}`;
    const commandId = commandIdOf(['post-mail', String(channelId), mail.id]);
    const request = { to, content, readBySender: false, name: null, commandId };
    await this.commands.execute(new SendMessage(sender, request));
  }
}
