import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { CompleteOnboardingStep } from './commands/onboarding-steps.js';
import { CompleteOnboardingStepParameters } from './onboarding.parameters.js';
import { Reply } from '../../../http/replies/reply.decorator.js';

/** What clients show or do once for everyone. */
@ApiTags('onboarding')
@Controller('users/me/onboarding_steps')
export class OnboardingStepsController {
  constructor(private readonly commands: CommandBus) {}

  /** Notes that the caller has seen a notice, or that an action was done for them. */
  @Reply()
  @Post()
  async complete(
    @CurrentCaller() caller: Caller,
    @Parameters(CompleteOnboardingStepParameters) { onboarding_step: step }: CompleteOnboardingStepParameters,
  ): Promise<void> {
    await this.commands.execute(new CompleteOnboardingStep(caller, step));
  }
}
