import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { GetChannelAddressParameters } from './channel-mail.parameters.js';
import { GetChannelAddress } from './queries/get-channel-address.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { channelAddressReply } from './channel-mail.replies.js';

/** Mail that becomes messages. */
@ApiTags('channels')
@Controller('streams/:stream_id/email_address')
export class ChannelMailController {
  constructor(private readonly queries: QueryBus) {}

  /** Returns an address: mail to it becomes a message in the channel. */
  @Reply(channelAddressReply)
  @Get()
  async address(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
    @Parameters(GetChannelAddressParameters) { sender_id }: GetChannelAddressParameters,
  ): Promise<SuccessFields> {
    return { email: await this.queries.execute(new GetChannelAddress(caller, channelId, sender_id ?? null)) };
  }
}
