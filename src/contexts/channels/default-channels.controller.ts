import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { ChooseDefaultChannel } from './commands/channels.js';
import { DefaultChannelParameters } from './channels.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';

/** The channels that new people are subscribed to. */
@ApiTags('channels')
@Controller('default_streams')
export class DefaultChannelsController {
  constructor(private readonly commands: CommandBus) {}

  /** Makes a channel a default one, to which new people are subscribed. Administrators only. */
  @Reply()
  @Post()
  add(
    @CurrentCaller() caller: Caller,
    @Parameters(DefaultChannelParameters) { stream_id }: DefaultChannelParameters,
  ): Promise<void> {
    return this.commands.execute(new ChooseDefaultChannel(caller, stream_id, true));
  }

  /** Makes a channel no default one any more. Administrators only. */
  @Reply()
  @Delete()
  remove(
    @CurrentCaller() caller: Caller,
    @Parameters(DefaultChannelParameters) { stream_id }: DefaultChannelParameters,
  ): Promise<void> {
    return this.commands.execute(new ChooseDefaultChannel(caller, stream_id, false));
  }
}
