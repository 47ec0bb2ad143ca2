import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { hasMetadataAccess, maySendTo } from '../../../access/channel-permissions.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import type { User } from '../../../access/records/user.js';
import { ChannelAddresses } from '../channel-address.js';
import { GatewayBot } from '../gateway-bot.js';

/** An address by which mail becomes messages in a channel (`GET /streams/{stream_id}/email_address`). */
export class GetChannelAddress extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
    /** Null: the e-mail gateway. */
    readonly senderId: number | null,
  ) {
    super();
  }
}

@QueryHandler(GetChannelAddress)
export class GetChannelAddressHandler implements IQueryHandler<GetChannelAddress> {
  constructor(
    private readonly addresses: ChannelAddresses,
    private readonly gateway: GatewayBot,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ApplicationError `invalidChannel`, `insufficientPermission`, `invalidMailSender` */
  async execute({ caller, channelId, senderId }: GetChannelAddress): Promise<string> {
    const snapshot = { directory: this.follower.current(), now: this.clock.now() };
    const user = snapshot.directory.user(caller.userId);
    if (user === null) throw failure('invalidApiKey');
    const channel = snapshot.directory.channel(channelId);
    if (channel === null || !hasMetadataAccess(snapshot, user, channel)) throw failure('invalidChannel');
    if (!maySendTo(snapshot, user, channel)) throw failure('insufficientPermission');
    const isGateway = senderId === null || senderId === this.gateway.known();
    if (!isGateway && !maySendAs(snapshot, user, senderId)) throw failure('invalidMailSender');
    return this.addresses.addressOf({
      channelId,
      requesterId: user.id,
      senderId: isGateway ? null : senderId,
    });
  }
}

/** People may send in their own name, or in that of a bot that they own. */
export function maySendAs({ directory }: Snapshot, user: User, senderId: number): boolean {
  const sender = directory.user(senderId);
  return sender?.isActive === true && (sender.id === user.id || sender.bot?.ownerId === user.id);
}
