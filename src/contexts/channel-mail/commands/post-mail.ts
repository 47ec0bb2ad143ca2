import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { hash } from 'node:crypto';
import { maySendTo } from '../../../access/channel-permissions.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import type { Caller } from '../../../http/caller.js';
import { failure, isRefusal } from '../../../kernel/errors.js';
import { isEvent } from '../../../kernel/event.js';
import { revisionOfId } from '../../../kernel/ids.js';
import { SendMessage } from '../../messages/commands/send-message.js';
import { MessageSent, MESSAGES_STREAM } from '../../../events/messages.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import type { ChannelAddress } from '../channel-address.js';
import { GatewayBot } from '../gateway-bot.js';
import { StoredAttachments, type StoredAttachment } from '../stored-attachments.js';
import { withAttachments, type ReceivedMail } from '../read-mail.js';
import { maySendAs } from '../queries/get-channel-address.js';

/** Posts a mail in a channel. A mail that is delivered again is posted once. */
export class PostMail extends Command<void> {
  constructor(
    readonly address: ChannelAddress,
    readonly mail: ReceivedMail,
  ) {
    super();
  }
}

/** Client name of messages from mail. */
const MAIL_CLIENT = 'email_mirror';

const EMPTY_MAIL = '(No email body)';

@CommandHandler(PostMail)
export class PostMailHandler implements ICommandHandler<PostMail> {
  constructor(
    private readonly commands: CommandBus,
    private readonly gateway: GatewayBot,
    private readonly attachments: StoredAttachments,
    private readonly log: EventLog,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /**
   * @throws ApplicationError `organizationClosed`; and if the person who requested the address, or the
   * sender, may no longer post there
   */
  async execute({ address: { channelId, requesterId, senderId }, mail }: PostMail): Promise<void> {
    const snapshot = { directory: this.follower.current(), now: this.clock.now() };
    if (snapshot.directory.isDeactivated) throw failure('organizationClosed');
    const requester = snapshot.directory.user(requesterId);
    const channel = snapshot.directory.channel(channelId);
    if (channel === null || requester?.isActive !== true) throw failure('invalidChannel');
    if (!maySendTo(snapshot, requester, channel)) throw failure('insufficientPermission');
    if (senderId !== null && !maySendAs(snapshot, requester, senderId)) throw failure('invalidMailSender');
    const sender = {
      userId: senderId ?? (await this.gateway.id()),
      client: MAIL_CLIENT,
      requestId: `mail-${hash('sha256', mail.id).slice(0, 16)}`,
    };
    await this.say(sender, channelId, senderId === null ? withAuthor(mail) : mail);
  }

  /** The files of a mail that was posted before are not uploaded again. */
  private async say(sender: Caller, channelId: number, mail: ReceivedMail): Promise<void> {
    const links = await this.attachments.keep(sender, mail.attached.kept);
    try {
      if (!(await this.send(sender, channelId, { mail, links })))
        await this.attachments.giveUp(sender, links);
    } catch (error) {
      if (isRefusal(error)) await this.attachments.giveUp(sender, links);
      throw error;
    }
  }

  /** @returns whether the posted message names these files: an earlier delivery named its own */
  private async send(
    sender: Caller,
    channelId: number,
    { mail, links }: { readonly mail: ReceivedMail; readonly links: readonly StoredAttachment[] },
  ): Promise<boolean> {
    const to = { type: 'channel', channel: channelId, topic: mail.topic } as const;
    const said = withAttachments(mail.content, { links, left: mail.attached.left });
    const commandId = commandIdOf(['post-mail', String(channelId), mail.id]);
    const request = { to, content: said || EMPTY_MAIL, readBySender: false, localEcho: null, commandId };
    const { id } = await this.commands.execute(new SendMessage(sender, request));
    const [first] = links;
    if (first === undefined) return true;
    const [sent] = await this.log.readStream(MESSAGES_STREAM, { from: revisionOfId(id), limit: 1 });
    return isEvent(sent, MessageSent) && sent.data.content.includes(first.url);
  }
}

/** The mail with its author in the text, if the message's sender is the gateway. */
function withAuthor(mail: ReceivedMail): ReceivedMail {
  if (mail.from === null) return mail;
  const hasContent = mail.content !== '' || mail.attached.kept.length > 0;
  return { ...mail, content: `**From:** ${mail.from}\n\n${hasContent ? mail.content : EMPTY_MAIL}`.trim() };
}
