import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../http/documentation.decorators.js';
import { CurrentCaller } from '../http/authentication/current-caller.decorator.js';
import type { Caller } from '../http/caller.js';
import type { SuccessFields } from '../http/envelope.js';
import { Parameters } from '../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../http/parameters/path-parameters.js';
import { GetTopicsParameters } from './dto/get-topics.parameters.js';
import { GetTopics } from './queries/get-topics.js';

/** The topics of channels. */
@ApiTags('channels')
@Controller('users/me')
export class TopicsController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists the topics of a channel, the latest first. */
  @Get(':stream_id/topics')
  async list(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
    @Parameters(GetTopicsParameters) parameters: GetTopicsParameters,
  ): Promise<SuccessFields> {
    const query = new GetTopics(caller, channelId, parameters.allow_empty_topic_name ?? false);
    return { topics: await this.queries.execute(query) };
  }
}
