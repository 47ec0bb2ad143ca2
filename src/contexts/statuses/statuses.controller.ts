import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { BooleanParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { emojiCodeOf, reactionTypes } from '../messages/reactions/reactions.parameters.js';
import { statusReply } from './statuses.replies.js';
import { ChangeStatus, ChangeStatusOf } from './commands/statuses.js';
import { GetStatus } from './queries/status.js';
import type { StatusRequest } from './statuses.decide.js';
import { MAX_STATUS_LENGTH } from '../../access/records/status.js';

/** Clients that remove the emoji send an empty code and type as well. */
const typesOrNone = [...reactionTypes, ''] as const;

/** Parameters of POST /users/{user_id}/status. Whether clients see a person's presence stays that person's choice. */
class ChangeStatusOfParameters {
  @TextParameter({
    maxLength: MAX_STATUS_LENGTH,
    example: 'Weaving',
    description: 'The text of the status: at most 60 code points. Empty: removes the text.',
  })
  status_text?: string;

  @TextParameter({ example: 'octopus', description: 'The name of the emoji. Empty: removes the emoji.' })
  emoji_name?: string;

  @TextParameter({ description: 'The code of the emoji, within the namespace of `reaction_type`.' })
  emoji_code?: string;

  @TextParameter({ description: 'The namespace of `emoji_code`.', values: reactionTypes })
  @IsIn(typesOrNone)
  reaction_type?: (typeof typesOrNone)[number];
}

/** Parameters of POST /users/me/status. */
class ChangeStatusParameters extends ChangeStatusOfParameters {
  @BooleanParameter({ description: 'Deprecated: the inverse of the setting `presence_enabled`.' })
  away?: boolean;
}

/** The changes in the parameters. */
function statusRequest(parameters: ChangeStatusOfParameters & { readonly away?: boolean }): StatusRequest {
  const { status_text: text = null, emoji_name: name, away = null } = parameters;
  const code = emojiCodeOf({
    emoji_code: parameters.emoji_code || undefined,
    reaction_type: parameters.reaction_type || undefined,
  });
  return { text, emoji: { name, ...code }, away };
}

/** People's statuses. */
@ApiTags('users')
@Controller('users')
export class StatusesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Changes the caller's status. */
  @Reply()
  @Post('me/status')
  async change(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeStatusParameters) parameters: ChangeStatusParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeStatus(caller, statusRequest(parameters)));
  }

  /** Changes a person's status, for administrators. */
  @Reply()
  @Post(':user_id/status')
  async changeOf(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
    @Parameters(ChangeStatusOfParameters) parameters: ChangeStatusOfParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeStatusOf(caller, userId, statusRequest(parameters)));
  }

  /** Reads the caller's own status. */
  @Reply(statusReply)
  @Get('me/status')
  async own(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { status: await this.queries.execute(new GetStatus(caller, caller.userId)) };
  }

  /** Reads a person's status. */
  @Reply(statusReply)
  @Get(':user_id/status')
  async get(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
  ): Promise<SuccessFields> {
    return { status: await this.queries.execute(new GetStatus(caller, userId)) };
  }
}
