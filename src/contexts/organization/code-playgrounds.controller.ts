import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { AddCodePlayground, RemoveCodePlayground } from './commands/code-playgrounds.js';
import { AddCodePlaygroundParameters } from './organization.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { addedPlaygroundReply } from './organization.replies.js';

/** Where clients may open code blocks. */
@ApiTags('organization')
@Controller('realm/playgrounds')
export class CodePlaygroundsController {
  constructor(private readonly commands: CommandBus) {}

  /** Adds a place where clients can open the code blocks of a language. Administrators only. */
  @Reply(addedPlaygroundReply)
  @Post()
  async add(
    @CurrentCaller() caller: Caller,
    @Parameters(AddCodePlaygroundParameters) parameters: AddCodePlaygroundParameters,
  ): Promise<SuccessFields> {
    const { name, pygments_language: language, url_template: urlTemplate } = parameters;
    return {
      id: await this.commands.execute(new AddCodePlayground(caller, { name, language, urlTemplate })),
    };
  }

  /** Removes such a place. Administrators only. */
  @Reply()
  @Delete(':playground_id')
  async remove(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('playground_id') playgroundId: number,
  ): Promise<void> {
    await this.commands.execute(new RemoveCodePlayground(caller, playgroundId));
  }
}
