import { Injectable } from '@nestjs/common';
import { personalStream } from '../../events/personal.js';
import type { SecondFactorEvent } from '../../events/second-factor.js';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import type { Clock } from '../../kernel/clock.js';
import { noState } from '../../kernel/fold.js';
import { stream } from '../../kernel/decision.js';
import { failure } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { SecondFactorStore } from '../../stores/credential-store/port.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import type { Vault } from '../../stores/key-store/vault.js';
import {
  newRecoveryCodes,
  newSecret,
  plainRecoveryCode,
  secretUri,
  stepOf,
  type SecretLabel,
} from './one-time-passwords.js';
import { decideUseRecoveryCode } from './second-factor.decide.js';

/** What {@link SecondFactors} depends on. */
interface SecondFactorsOptions {
  readonly store: SecondFactorStore;
  readonly vault: Pick<Vault, 'linkDigest' | 'encryptSecondFactor' | 'decryptSecondFactor'>;
  readonly clock: Clock;
}

/** How somebody proved that they have their second factor. `none`: the account has none. */
type Proof = 'none' | 'password' | 'recovery-code';

/** Maximum length of a code, in UTF-16 units. */
export const MAX_CODE_LENGTH = 64;

/**
 * Second factors of accounts: one-time passwords derived from a secret and the time (RFC 6238), and recovery
 * codes.
 */
export class SecondFactors {
  constructor(private readonly options: SecondFactorsOptions) {}

  /** Whether the account has one, and how many recovery codes are left. */
  async of(userId: number): Promise<{ readonly isEnabled: boolean; readonly recoveryCodes: number }> {
    const found = await this.options.store.find(userId);
    return { isEnabled: found?.isEnabled === true, recoveryCodes: found?.recoveryCodes ?? 0 };
  }

  /**
   * Creates a secret, which cannot be read again. It is not required until {@link confirm}.
   *
   * @throws ApplicationError `secondFactorEnabled`
   */
  async begin(
    userId: number,
    label: SecretLabel,
  ): Promise<{ readonly secret: string; readonly uri: string }> {
    const { store, vault } = this.options;
    const secret = newSecret();
    if (!(await store.begin(userId, vault.encryptSecondFactor(userId, secret))))
      throw failure('secondFactorEnabled');
    return { secret, uri: secretUri(secret, label) };
  }

  /**
   * Enables the secret by one of its passwords. Returns recovery codes, which cannot be read again.
   *
   * @throws ApplicationError `secondFactorNotBegun`, `secondFactorEnabled`, `secondFactorWrong`
   */
  async confirm(userId: number, password: string): Promise<readonly string[]> {
    const { store, vault, clock } = this.options;
    const begun = await store.find(userId);
    if (begun === null) throw failure('secondFactorNotBegun');
    if (begun.isEnabled) throw failure('secondFactorEnabled');
    const { sealed } = begun;
    const lastStep = stepOf(vault.decryptSecondFactor(userId, sealed), password, clock.now());
    if (lastStep === null) throw failure('secondFactorWrong');
    const codes = newRecoveryCodes();
    const recoveryDigests = codes.flatMap((code) => this.digestOf(userId, code) ?? []);
    if (!(await store.enable(userId, { sealed, lastStep, recoveryDigests })))
      throw failure('secondFactorNotBegun');
    return codes;
  }

  /**
   * Checks a code of an account's second factor: each password and each recovery code is accepted once.
   *
   * @param code null: none was sent
   * @throws ApplicationError `secondFactorRequired`, `secondFactorWrong`
   */
  async prove(userId: number, code: string | null): Promise<Proof> {
    const { store, vault, clock } = this.options;
    const found = await store.find(userId);
    if (found?.isEnabled !== true) return 'none';
    if (code === null || code.trim() === '') throw failure('secondFactorRequired');
    if (code.length > MAX_CODE_LENGTH) throw failure('secondFactorWrong');
    const step = stepOf(
      vault.decryptSecondFactor(userId, found.sealed),
      code.replaceAll(/\s/g, ''),
      clock.now(),
    );
    if (step !== null && (await store.takeStep(userId, step))) return 'password';
    const digest = this.digestOf(userId, code);
    if (digest !== null && (await store.takeRecoveryCode(userId, digest))) return 'recovery-code';
    throw failure('secondFactorWrong');
  }

  async remove(userId: number): Promise<void> {
    await this.options.store.remove(userId);
  }

  private digestOf(userId: number, code: string): string | null {
    const plain = plainRecoveryCode(code);
    return plain === null ? null : this.options.vault.linkDigest('recovery code', `${userId}:${plain}`);
  }
}

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
      await this.record(decideUseRecoveryCode(userId, left), by);
    }
    return proof;
  }

  /** @param by the actor: another person if an owner acts for somebody */
  async record(event: SecondFactorEvent, by: Pick<Caller, 'userId' | 'client'>): Promise<void> {
    const own = stream(personalStream(event.data.userId), noState);
    await this.decisions.record(requestMetadata(by, this.clock.now()), own, () => [event]);
  }
}
