import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /users/me/onboarding_steps. */
export class CompleteOnboardingStepParameters {
  @TextParameter({
    required: true,
    example: 'visibility_policy_banner',
    description: 'Name of one of the `onboarding_steps` that POST /register tells of.',
  })
  onboarding_step!: string;
}
