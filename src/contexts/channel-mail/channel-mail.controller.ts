import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { IntegerParameter } from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { GetChannelAddress } from './queries/get-channel-address.js';

/** Answered by `GET streams/{stream_id}/email_address`. */
const channelAddressReply = { email: z.string() };

/** Parameters of GET /streams/{stream_id}/email_address. */
class GetChannelAddressParameters {
  @IntegerParameter({
    description:
      'The id of the account that is the sender of the messages: the caller, a bot of the caller, or the e-mail gateway, which is the default.',
  })
  sender_id?: number;
}

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
