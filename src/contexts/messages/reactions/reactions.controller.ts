import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../../http/parameters/path-parameters.js';
import { AddReaction, RemoveReaction } from '../commands/reactions.js';
import { AddReactionParameters, emojiCodeOf, RemoveReactionParameters } from './reactions.parameters.js';
import { Reply } from '../../../http/replies/reply.decorator.js';

/** Emoji reactions to messages. */
@ApiTags('messages')
@Controller('messages/:message_id/reactions')
export class ReactionsController {
  constructor(private readonly commands: CommandBus) {}

  /** Adds an emoji reaction to a message. */
  @Reply()
  @Post()
  async add(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @Parameters(AddReactionParameters) parameters: AddReactionParameters,
  ): Promise<void> {
    const request = { name: parameters.emoji_name, ...emojiCodeOf(parameters) };
    await this.commands.execute(new AddReaction(caller, messageId, request));
  }

  /** Removes a reaction. */
  @Reply()
  @Delete()
  async remove(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @Parameters(RemoveReactionParameters) parameters: RemoveReactionParameters,
  ): Promise<void> {
    const request = { name: parameters.emoji_name, ...emojiCodeOf(parameters) };
    await this.commands.execute(new RemoveReaction(caller, messageId, request));
  }
}
