import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import type { SecondFactorObject } from '../second-factor.replies.js';
import { SecondFactors } from '../second-factors.js';

/** Reads whether the caller has a second factor. */
export class GetSecondFactor extends Query<SecondFactorObject> {
  constructor(readonly caller: Pick<Caller, 'userId'>) {
    super();
  }
}

@QueryHandler(GetSecondFactor)
export class GetSecondFactorHandler implements IQueryHandler<GetSecondFactor> {
  constructor(private readonly factors: SecondFactors) {}

  async execute({ caller }: GetSecondFactor): Promise<SecondFactorObject> {
    const { isEnabled, recoveryCodes } = await this.factors.of(caller.userId);
    return { is_enabled: isEnabled, recovery_codes_left: recoveryCodes };
  }
}
