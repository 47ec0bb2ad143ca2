import type { StoredApiKey } from '../port.js';

export interface PasswordDocument {
  readonly _id: number;
  readonly hash: string;
}

/** A key. It is valid while its generation is the current one of its account. */
export interface KeyDocument {
  /** The digest. */
  readonly _id: string;
  readonly userId: number;
  readonly generation: string;
  readonly createdAt: number;
  readonly sealed: Buffer | null;
  /** Absent in documents of earlier versions. */
  readonly client?: string | null;
  /** Absent in documents of earlier versions. */
  readonly lastUsedAt?: number | null;
  /** Higher than that of the account's earlier keys: orders keys within a millisecond. Absent in documents of earlier versions. */
  readonly sequence?: number;
}

/** The generation of an account's valid keys: changing this one document revokes all others at once. */
export interface GenerationDocument {
  readonly _id: number;
  readonly generation: string;
}

/** The key of a device, encrypted. */
export interface DeviceKeyDocument {
  readonly _id: number;
  readonly sealed: Buffer;
}

/** The generation of an account whose keys have never been revoked together. */
export const FIRST_GENERATION = 'first';

export function apiKeyOf({ _id: digest, ...document }: KeyDocument): StoredApiKey {
  const { userId, createdAt, sealed, client = null, lastUsedAt = null } = document;
  return { userId, digest, createdAt, sealed, client, lastUsedAt };
}
