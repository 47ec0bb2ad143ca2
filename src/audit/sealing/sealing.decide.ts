import type { LogSealed } from '../../events/audit.js';
import type { EventOf } from '../../kernel/event.js';

type Seal = EventOf<typeof LogSealed>['data'];

/** When to seal the log: as soon as one of the two limits is reached. */
export interface SealingInterval {
  readonly events: number;
  readonly milliseconds: number;
}

/** What is not sealed yet. */
interface UnsealedEvents {
  readonly events: number;
  /** When the first of them was decided, in milliseconds since the UNIX epoch. */
  readonly since: number;
}

/** Whether so many events, or such old ones, are not sealed yet that a seal is due. */
export function isSealDue(unsealed: UnsealedEvents, interval: SealingInterval, now: number): boolean {
  if (unsealed.events >= interval.events) return true;
  return unsealed.events > 0 && now - unsealed.since >= interval.milliseconds;
}

/** @param signature null: this server has no key to sign with */
export function decideSealLog(
  facts: Omit<Seal, 'signature'>,
  signature: Seal['signature'],
): readonly EventOf<typeof LogSealed>[] {
  return [{ type: 'LogSealed', data: { ...facts, signature } }];
}
