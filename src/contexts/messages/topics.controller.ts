import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { Readers } from '../../reader-threads/readers.js';
import { DeleteTopic } from './commands/deletion.js';
import { DeleteTopicParameters, GetTopicsParameters } from './messages.parameters.js';
import { GetTopics } from './queries/get-topics.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { completeReply, topicsReply } from './messages.replies.js';

/** The topics of channels. */
@ApiTags('channels')
@Controller()
export class TopicsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly readers: Readers,
  ) {}

  /** Lists the topics of a channel, the latest first. */
  @Reply(topicsReply)
  @Get('users/me/:stream_id/topics')
  async list(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
    @Parameters(GetTopicsParameters) parameters: GetTopicsParameters,
  ): Promise<Answer> {
    const query = new GetTopics(caller, channelId, parameters.allow_empty_topic_name ?? false);
    return this.readers.answer(query);
  }

  /** Deletes the messages of a topic that the caller can see. Administrators only. */
  @Reply(completeReply)
  @Post('streams/:stream_id/delete_topic')
  async delete(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
    @Parameters(DeleteTopicParameters) { topic_name: topic }: DeleteTopicParameters,
  ): Promise<SuccessFields> {
    return { complete: await this.commands.execute(new DeleteTopic(caller, channelId, topic)) };
  }
}
