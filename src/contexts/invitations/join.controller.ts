import { Controller, Headers, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { clientName } from '../../http/authentication/client-name.js';
import { Origin, type RequestOrigin } from '../../http/authentication/request-origin.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { AcceptInvitation, RequestSignUp } from './commands/joining.js';
import { JoinParameters, RequestSignUpParameters } from './invitations.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { joinedReply } from './invitations.replies.js';

/** Joining, for programs; people follow the link of their e-mail: see {@link JoinPagesController}. */
@ApiTags('invitations')
@Public()
@Controller()
export class JoinController {
  constructor(private readonly commands: CommandBus) {}

  /** Makes an account by an invitation, and answers a key of it. */
  @Reply(joinedReply)
  @Post('join')
  async join(
    @Parameters(JoinParameters) { token, full_name: fullName, password }: JoinParameters,
    @Origin() origin: RequestOrigin,
  ): Promise<SuccessFields> {
    const command = new AcceptInvitation({ token, fullName, password }, origin);
    const { userId, email, apiKey } = await this.commands.execute(command);
    return { user_id: userId, email, api_key: apiKey };
  }

  /** Asks for an e-mail by which an account can be made. Answers the same whether the address has one. */
  @Reply()
  @Post('join_requests')
  async request(
    @Parameters(RequestSignUpParameters) { token, email }: RequestSignUpParameters,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<void> {
    await this.commands.execute(new RequestSignUp({ token: token ?? null, email }, clientName(userAgent)));
  }
}
