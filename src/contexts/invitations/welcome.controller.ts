import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { TextParameter } from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { TestWelcome } from './commands/welcome.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { welcomeTestReply } from './invitations.replies.js';
import { MAX_WELCOME_TEXT_LENGTH } from './inviting.decide.js';

/** Parameters of POST /realm/test_welcome_bot_custom_message. */
class TestWelcomeParameters {
  @TextParameter({
    maxLength: MAX_WELCOME_TEXT_LENGTH,
    example: 'Ask **Ada** for a desk.',
    required: true,
    description: 'The text to try out: Markdown, 1 to 8,000 code points.',
  })
  welcome_message_custom_text!: string;
}

/** Messages to new people. */
@ApiTags('invitations')
@Controller('realm')
export class WelcomeController {
  constructor(private readonly commands: CommandBus) {}

  /** Sends the caller the message that the welcome bot sends to new people. */
  @Reply(welcomeTestReply)
  @Post('test_welcome_bot_custom_message')
  async test(
    @CurrentCaller() caller: Caller,
    @Parameters(TestWelcomeParameters) { welcome_message_custom_text: text }: TestWelcomeParameters,
  ): Promise<SuccessFields> {
    return { message_id: await this.commands.execute(new TestWelcome(caller, text)) };
  }
}
