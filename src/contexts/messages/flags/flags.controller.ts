import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { ChangeFlagsInNarrow, ChangeFlags, MarkAsRead } from '../commands/flags.js';
import {
  ChangeFlagsInNarrowParameters,
  ChangeFlagsParameters,
  MarkChannelAsReadParameters,
  MarkTopicAsReadParameters,
} from './flags.parameters.js';
import { parseFlag } from './flags.decide.js';
import { flagsPage } from '../message-selection.js';
import { parseNarrow } from '../narrow/terms.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { completeReply, flagsInNarrowReply, flagsReply } from '../messages.replies.js';

/** Message flags: read, starred, collapsed. */
@ApiTags('messages')
@Controller()
export class FlagsController {
  constructor(private readonly commands: CommandBus) {}

  /** Adds or removes a flag on messages. */
  @Reply(flagsReply)
  @Post('messages/flags')
  async change(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeFlagsParameters) { messages, op, flag }: ChangeFlagsParameters,
  ): Promise<SuccessFields> {
    const command = new ChangeFlags(caller, { op, flag: parseFlag(flag) }, messages);
    const { ignoredChannelIds } = await this.commands.execute(command);
    return { messages, ignored_because_not_subscribed_channels: ignoredChannelIds };
  }

  /** Adds or removes a flag on a page of a narrow. */
  @Reply(flagsInNarrowReply)
  @Post('messages/flags/narrow')
  async changeInNarrow(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeFlagsInNarrowParameters) parameters: ChangeFlagsInNarrowParameters,
  ): Promise<SuccessFields> {
    const change = { op: parameters.op, flag: parseFlag(parameters.flag) };
    const selection = { narrow: parseNarrow(parameters.narrow ?? []), page: flagsPage(parameters) };
    const changed = await this.commands.execute(new ChangeFlagsInNarrow(caller, change, selection));
    const { processedIds, page } = changed;
    return {
      processed_count: processedIds.length,
      updated_count: changed.updatedCount,
      first_processed_id: processedIds[0] ?? null,
      last_processed_id: processedIds.at(-1) ?? null,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      ignored_because_not_subscribed_channels: changed.ignoredChannelIds,
    };
  }

  /** Marks everything as read. */
  @Reply(completeReply)
  @Post('mark_all_as_read')
  async readEverything(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    await this.commands.execute(new MarkAsRead(caller, { type: 'everything' }));
    return { complete: true };
  }

  /** Marks a channel as read. */
  @Reply()
  @Post('mark_stream_as_read')
  async readChannel(
    @CurrentCaller() caller: Caller,
    @Parameters(MarkChannelAsReadParameters) { stream_id: channelId }: MarkChannelAsReadParameters,
  ): Promise<void> {
    await this.commands.execute(new MarkAsRead(caller, { type: 'channel', channelId }));
  }

  /** Marks a topic as read. */
  @Reply()
  @Post('mark_topic_as_read')
  async readTopic(
    @CurrentCaller() caller: Caller,
    @Parameters(MarkTopicAsReadParameters) parameters: MarkTopicAsReadParameters,
  ): Promise<void> {
    const { stream_id: channelId, topic_name: topic } = parameters;
    await this.commands.execute(new MarkAsRead(caller, { type: 'topic', channelId, topic }));
  }
}
