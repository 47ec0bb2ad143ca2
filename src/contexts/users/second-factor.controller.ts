import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import {
  BeginSecondFactor,
  ConfirmSecondFactor,
  DisableSecondFactor,
  ResetSecondFactor,
} from './commands/second-factor.js';
import { BeginSecondFactorParameters, SecondFactorCodeParameters } from './log-in.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import {
  begunSecondFactorReply,
  GetSecondFactor,
  recoveryCodesReply,
  secondFactorReply,
} from './queries/account-security.js';

/** Second factors for log-in: one-time passwords of an authenticator app (RFC 6238), or recovery codes. */
@ApiTags('users')
@Controller('users')
export class SecondFactorController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Returns whether the caller has a second factor, and how many recovery codes are left. */
  @Reply(secondFactorReply)
  @Get('me/second_factor')
  async show(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { ...(await this.queries.execute(new GetSecondFactor(caller))) };
  }

  /**
   * Creates the secret of a second factor for the caller, and returns it, also as the URI that authenticator
   * apps import. It cannot be read again. Logging in does not require it until it is confirmed.
   */
  @Reply(begunSecondFactorReply)
  @Post('me/second_factor')
  async begin(
    @CurrentCaller() caller: Caller,
    @Parameters(BeginSecondFactorParameters) { password }: BeginSecondFactorParameters,
  ): Promise<SuccessFields> {
    return { ...(await this.commands.execute(new BeginSecondFactor(caller, password))) };
  }

  /**
   * Confirms the second factor by one of its codes: from then on logging in by password requires one. Returns
   * recovery codes, which cannot be read again.
   */
  @Reply(recoveryCodesReply)
  @Post('me/second_factor/confirm')
  async confirm(
    @CurrentCaller() caller: Caller,
    @Parameters(SecondFactorCodeParameters) { code }: SecondFactorCodeParameters,
  ): Promise<SuccessFields> {
    return { recovery_codes: await this.commands.execute(new ConfirmSecondFactor(caller, code)) };
  }

  /** Removes the caller's second factor. */
  @Reply()
  @Delete('me/second_factor')
  async disable(
    @CurrentCaller() caller: Caller,
    @Parameters(SecondFactorCodeParameters) { code }: SecondFactorCodeParameters,
  ): Promise<void> {
    await this.commands.execute(new DisableSecondFactor(caller, code));
  }

  /** Removes somebody else's second factor and notifies them by e-mail. For owners. */
  @Reply()
  @Delete(':user_id/second_factor')
  async reset(@CurrentCaller() caller: Caller, @PathIdentifier('user_id') userId: number): Promise<void> {
    await this.commands.execute(new ResetSecondFactor(caller, userId));
  }
}
