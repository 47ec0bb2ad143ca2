import type { Document } from 'mongodb';

/** An error with which the server refuses a command: codes and names are MongoDB's. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: number,
    readonly codeName: string,
    readonly labels: readonly string[] = [],
  ) {
    super(codeName);
  }

  get reply(): Document {
    const { code, codeName, labels } = this;
    return { ok: 0, errmsg: codeName, code, codeName, ...(labels.length > 0 && { errorLabels: labels }) };
  }
}

const TRANSIENT = ['TransientTransactionError'];

/** A document was changed, or is being changed, by another client since the transaction began. */
export const writeConflict = (): Refusal => new Refusal(112, 'WriteConflict', TRANSIENT);

/** The transaction was aborted, exceeded its lifetime, or its session was killed. */
export const noSuchTransaction = (): Refusal => new Refusal(251, 'NoSuchTransaction', TRANSIENT);

export const transactionTooOld = (): Refusal => new Refusal(225, 'TransactionTooOld');
export const timeExpired = (): Refusal => new Refusal(50, 'MaxTimeMSExpired');
export const notInTransactions = (): Refusal => new Refusal(263, 'OperationNotSupportedInTransaction');

/** The reply to a write that a unique index rejects. */
export function duplicateKey(namespace: string): Document {
  const errmsg = `E11000 duplicate key error collection: ${namespace}`;
  return { ok: 1, n: 0, writeErrors: [{ index: 0, code: 11_000, errmsg }] };
}
