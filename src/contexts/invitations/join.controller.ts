import { Controller, Headers, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { clientName, Origin, type RequestOrigin } from '../../http/authentication/request-origin.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { AcceptInvitation, RequestSignUp } from './commands/joining.js';
import { JoinParameters, RequestSignUpParameters } from './invitations.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { joinedReply } from './invitations.replies.js';

/** Joining, for programs; browsers use {@link JoinPagesController}. */
@ApiTags('invitations')
@Public()
@Controller()
export class JoinController {
  constructor(private readonly commands: CommandBus) {}

  /** Creates an account by an invitation, and returns a key for it. */
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

  /**
   * Requests an e-mail by which an account can be created. The reply does not reveal whether the address has
   * one.
   */
  @Reply()
  @Post('join_requests')
  async request(
    @Parameters(RequestSignUpParameters) { token, email }: RequestSignUpParameters,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<void> {
    await this.commands.execute(new RequestSignUp({ token: token ?? null, email }, clientName(userAgent)));
  }
}
