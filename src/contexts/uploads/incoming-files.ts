import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { storageNameOf } from './upload-path.js';

/** A name for a new stored file that cannot be guessed. */
export function newStorageName(): string {
  return storageNameOf(randomBytes(20).toString('hex'));
}

/** The files that this process is receiving. They take space that counts towards no quota until they are complete. */
@Injectable()
export class IncomingFiles {
  private readonly counts = new Map<number, number>();

  /**
   * Receives a file, or a part of one.
   *
   * @throws ApplicationError `rateLimitHit` when the person sends too many at once
   */
  async receive<Result>(userId: number, receive: () => Promise<Result>): Promise<Result> {
    const count = this.counts.get(userId) ?? 0;
    if (count >= budgets.filesReceivedAtOnce.max) throw failure('rateLimitHit', { 'retry-after': 1 });
    this.counts.set(userId, count + 1);
    try {
      return await receive();
    } finally {
      const left = (this.counts.get(userId) ?? 0) - 1;
      if (left > 0) this.counts.set(userId, left);
      else this.counts.delete(userId);
    }
  }
}
