import { Injectable } from '@nestjs/common';
import type { SecondFactorEvent } from '../../events/second-factor.js';
import type { Caller } from '../../http/caller.js';
import { noState } from '../../kernel/decider.js';
import { stream } from '../../kernel/decision.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { Decisions } from '../../http/decisions.js';
import { personalStream } from '../../events/personal.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { SecondFactors, type Proof } from './second-factors.js';

/** Records changes of second factors on the stream of their owner. */
@Injectable()
export class SecondFactorChanges {
  constructor(
    private readonly factors: SecondFactors,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /**
   * {@link SecondFactors.prove}, and records when a recovery code was used.
   *
   * @throws ApplicationError `secondFactorRequired`, `secondFactorWrong`
   */
  async prove(by: Pick<Caller, 'userId' | 'client'>, code: string | null): Promise<Proof> {
    const { userId } = by;
    const proof = await this.factors.prove(userId, code);
    if (proof === 'recovery-code') {
      const { recoveryCodes: left } = await this.factors.of(userId);
      await this.record({ type: 'RecoveryCodeUsed', data: { userId, left } }, by);
    }
    return proof;
  }

  /** @param by the actor: another person if an owner acts for somebody */
  async record(event: SecondFactorEvent, by: Pick<Caller, 'userId' | 'client'>): Promise<void> {
    const own = stream(personalStream(event.data.userId), noState);
    await this.decisions.decideAs(requestMetadata(by, this.clock.now()), own, () => [event]);
  }
}
