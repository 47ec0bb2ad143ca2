import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { TextParameter } from '../../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { CompleteOnboardingStep } from './commands/onboarding-steps.js';

/** Parameters of POST /users/me/onboarding_steps. */
class CompleteOnboardingStepParameters {
  @TextParameter({
    required: true,
    example: 'visibility_policy_banner',
    description: 'The name of one of the `onboarding_steps` in the reply of POST /register.',
  })
  onboarding_step!: string;
}

/** Things that clients show or do once for each person. */
@ApiTags('onboarding')
@Controller('users/me/onboarding_steps')
export class OnboardingStepsController {
  constructor(private readonly commands: CommandBus) {}

  /** Marks a notice as seen, or an action as done. */
  @Reply()
  @Post()
  async complete(
    @CurrentCaller() caller: Caller,
    @Parameters(CompleteOnboardingStepParameters) { onboarding_step: step }: CompleteOnboardingStepParameters,
  ): Promise<void> {
    await this.commands.execute(new CompleteOnboardingStep(caller, step));
  }
}
