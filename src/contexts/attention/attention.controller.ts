import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { failure } from '../../kernel/errors.js';
import { AttentionReader } from './attention-reader.js';
import { ChangeAlertWords, MutePerson, SetTopicVisibility } from './commands/attention.js';
import {
  AddAlertWordsParameters,
  RemoveAlertWordsParameters,
  MutedTopicParameters,
  SetTopicVisibilityParameters,
} from './attention.parameters.js';
import { visibilityPolicies } from '../../events/attention.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { alertWordsReply } from './attention.replies.js';

/** Topic visibility policies, muted people and alert words. */
@ApiTags('attention')
@Controller()
export class AttentionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attention: AttentionReader,
  ) {}

  /** Mutes, unmutes or follows a topic, or removes that policy. */
  @Reply()
  @Post('user_topics')
  async setTopic(
    @CurrentCaller() caller: Caller,
    @Parameters(SetTopicVisibilityParameters) parameters: SetTopicVisibilityParameters,
  ): Promise<void> {
    const { stream_id: channelId, topic, visibility_policy: policy } = parameters;
    await this.commands.execute(new SetTopicVisibility(caller, channelId, { topic, policy }));
  }

  /** Mutes or unmutes a topic. */
  @Reply()
  @Post('users/me/subscriptions/muted_topics')
  async muteTopic(
    @CurrentCaller() caller: Caller,
    @Parameters(MutedTopicParameters) parameters: MutedTopicParameters,
  ): Promise<void> {
    const { topic, op } = parameters;
    const policy = op === 'add' ? visibilityPolicies.muted : visibilityPolicies.none;
    await this.commands.execute(new SetTopicVisibility(caller, channelOf(parameters), { topic, policy }));
  }

  /** Mutes or unmutes a topic (older method). */
  @Reply()
  @Patch('users/me/subscriptions/muted_topics')
  async patchMutedTopic(
    @CurrentCaller() caller: Caller,
    @Parameters(MutedTopicParameters) parameters: MutedTopicParameters,
  ): Promise<void> {
    await this.muteTopic(caller, parameters);
  }

  /** Mutes a person. */
  @Reply()
  @Post('users/me/muted_users/:user_id')
  async mutePerson(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
  ): Promise<void> {
    await this.commands.execute(new MutePerson(caller, userId, true));
  }

  /** Unmutes a person. */
  @Reply()
  @Delete('users/me/muted_users/:user_id')
  async unmutePerson(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
  ): Promise<void> {
    await this.commands.execute(new MutePerson(caller, userId, false));
  }

  /** Lists the caller's alert words. */
  @Reply(alertWordsReply)
  @Get('users/me/alert_words')
  async alertWords(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { alert_words: (await this.attention.of(caller.userId)).alertWords };
  }

  /** Adds alert words. */
  @Reply(alertWordsReply)
  @Post('users/me/alert_words')
  async addAlertWords(
    @CurrentCaller() caller: Caller,
    @Parameters(AddAlertWordsParameters) { alert_words: words }: AddAlertWordsParameters,
  ): Promise<SuccessFields> {
    return { alert_words: await this.commands.execute(new ChangeAlertWords(caller, 'add', words)) };
  }

  /** Removes alert words. */
  @Reply(alertWordsReply)
  @Delete('users/me/alert_words')
  async removeAlertWords(
    @CurrentCaller() caller: Caller,
    @Parameters(RemoveAlertWordsParameters) { alert_words: words }: RemoveAlertWordsParameters,
  ): Promise<SuccessFields> {
    return { alert_words: await this.commands.execute(new ChangeAlertWords(caller, 'remove', words)) };
  }
}

function channelOf({ stream_id: id, stream: name }: MutedTopicParameters): number | string {
  if (id !== undefined && name !== undefined) {
    throw failure('confusingParameter', { var_name1: 'stream_id', var_name2: 'stream' });
  }
  const channel = id ?? name;
  if (channel === undefined) throw failure('missingParameter', { var_name: 'stream_id' });
  return channel;
}
