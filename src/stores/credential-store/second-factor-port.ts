/** A stored second factor. */
export interface StoredSecondFactor {
  /** The encrypted secret of the one-time passwords. */
  readonly sealed: Uint8Array;
  /** False: the person has not yet confirmed to have the secret, and it is not asked for. */
  readonly isEnabled: boolean;
  /** The last time step whose password was used; -1: none. */
  readonly lastStep: number;
  /** The number of unused recovery codes. */
  readonly recoveryCodes: number;
}

/** The initial data of an enabled second factor. */
export interface EnabledSecondFactor {
  /** The encrypted secret that the person was shown. */
  readonly sealed: Uint8Array;
  /** Time step of the password that confirmed it. */
  readonly lastStep: number;
  /** Keyed digests of the recovery codes, all different. */
  readonly recoveryDigests: readonly string[];
}

/** Second factors, at most one per account: a part of the credential store. Each method is atomic, also under concurrent calls. */
export interface SecondFactorStore {
  find(userId: number): Promise<StoredSecondFactor | null>;
  /** Stores a secret to be confirmed, and replaces an unconfirmed one. False: the account has an enabled factor, which stays. */
  begin(userId: number, sealed: Uint8Array): Promise<boolean>;
  /** Enables the unconfirmed secret. False: it is missing, differs, or is already enabled. */
  enable(userId: number, factor: EnabledSecondFactor): Promise<boolean>;
  /** Marks a time step as used. False: it or a later one was used before. Of concurrent calls, one returns true. */
  takeStep(userId: number, step: number): Promise<boolean>;
  /** Uses up a recovery code. False: there is no unused one with this digest. Of concurrent calls, one returns true. */
  takeRecoveryCode(userId: number, digest: string): Promise<boolean>;
  /** No effect if there is none. */
  remove(userId: number): Promise<void>;
}
