import { decrypt, encrypt, EnvelopeError, type DataKey } from './envelope.js';
import type { WrappedKey } from './port.js';
import { OperatorError } from '../../kernel/errors.js';

/** A data key before it is wrapped. */
export interface UnwrappedKey {
  readonly id: string;
  readonly wrappedBy: string | null;
  readonly key: Uint8Array;
}

/** A key cannot be unwrapped: the store was changed, or belongs to another server key. */
export class KeyUnwrapError extends OperatorError {
  override readonly name = 'KeyUnwrapError';
  constructor(readonly keyId: string) {
    super(`The key ${keyId} does not open: the key store was changed, or belongs to another server key`);
  }
}

/** Encrypts a data key, bound to its id and to the id of its wrapping key. */
export function wrapKey(wrapping: DataKey, { id, wrappedBy, key }: UnwrappedKey): WrappedKey {
  return { id, wrappedBy, wrapped: encrypt(wrapping, { plaintext: key, boundTo: bindingOf(id, wrappedBy) }) };
}

/** @throws KeyUnwrapError */
export function unwrapKey(wrapping: DataKey, { id, wrappedBy, wrapped }: WrappedKey): Buffer {
  try {
    return decrypt(wrapping, { sealed: wrapped, boundTo: bindingOf(id, wrappedBy) });
  } catch (error) {
    throw error instanceof EnvelopeError ? new KeyUnwrapError(id) : error;
  }
}

function bindingOf(id: string, wrappedBy: string | null): string {
  return `key ${id} by ${wrappedBy ?? 'server'}`;
}
