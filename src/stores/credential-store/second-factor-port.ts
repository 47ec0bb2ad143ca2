/** What a second factor is made of, as it is kept. */
export interface StoredSecondFactor {
  /** The secret that one-time passwords follow from, encrypted. */
  readonly sealed: Uint8Array;
  /** False: its person has not shown yet that they have the secret, and it is asked for nowhere. */
  readonly isEnabled: boolean;
  /** Number of the last time step of which a password was taken; -1: none. */
  readonly lastStep: number;
  /** Recovery codes that are unused. */
  readonly recoveryCodes: number;
}

/** What an account's second factor begins with. */
export interface EnabledSecondFactor {
  /** The secret that was shown, as it was kept. */
  readonly sealed: Uint8Array;
  /** Of the password that showed that its person has it. */
  readonly lastStep: number;
  /** Keyed digests of the recovery codes, each another. */
  readonly recoveryDigests: readonly string[];
}

/**
 * Second factors of accounts, one each: part of the credential store. Each method is one change that happens wholly or not at all,
 * whoever else changes the same.
 */
export interface SecondFactorStore {
  find(userId: number): Promise<StoredSecondFactor | null>;
  /** Keeps a secret that is yet to be confirmed, in place of another such. False: the account has an enabled one, which stays. */
  begin(userId: number, sealed: Uint8Array): Promise<boolean>;
  /** Enables the secret that was begun. False: it is not there, another one is, or it is enabled already. */
  enable(userId: number, factor: EnabledSecondFactor): Promise<boolean>;
  /** Takes a time step. False: it, or a later one, was taken before; of calls at once, one answers true. */
  takeStep(userId: number, step: number): Promise<boolean>;
  /** Takes a recovery code. False: there is none with this digest any more; of calls at once, one answers true. */
  takeRecoveryCode(userId: number, digest: string): Promise<boolean>;
  /** Where there is none, nothing changes. */
  remove(userId: number): Promise<void>;
}
