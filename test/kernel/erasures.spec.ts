import { describe, expect, it } from '@jest/globals';
import { erasures, type Erasures } from '../../src/audit/cases/erasures.state.js';
import { isSealDue } from '../../src/audit/sealing/sealing.decide.js';
import {
  decideDeferMessages,
  decideDeferRecord,
  decideEraseSecurityRecords,
} from '../../src/audit/cases/erasures.decide.js';
import type { ErasureEvent } from '../../src/events/erasure.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { standIn } from '../support/stand-in.js';

const { fold } = erasures;
const initial = fold.initial as Erasures;
const held = { stream: 'security-3', revision: 5, caseIds: [1] };

function after(...events: readonly ErasureEvent[]): Erasures {
  return events.reduce(
    (state, event) => fold.evolve(state, standIn<RecordedEvent<ErasureEvent>>({ ...event, position: 1 })),
    initial,
  );
}

describe('an erasure that a hold defers', () => {
  it('is recorded once, while the hold keeps the message', () => {
    const messages = [
      { messageId: 41, caseIds: [1] },
      { messageId: 42, caseIds: [1, 2] },
    ];
    const [first] = decideDeferMessages(initial, messages);
    expect(first).toEqual({ type: 'MessageErasureDeferred', data: { messageId: 41, caseIds: [1] } });
    expect(decideDeferMessages(after(first!), messages)).toEqual([
      { type: 'MessageErasureDeferred', data: { messageId: 42, caseIds: [1, 2] } },
    ]);
  });

  it('is recorded once, while the hold keeps the record', () => {
    const deferred = decideDeferRecord(initial, held);
    expect(deferred).toEqual([{ type: 'BelongingErasureDeferred', data: held }]);
    expect(decideDeferRecord(after(...deferred), held)).toEqual([]);
  });
});

describe('security records at the end of their retention', () => {
  it('are kept under holds, and all count as examined', () => {
    const examined = { last: { stream: 'security-4', revision: 7 }, count: 2, held: [held] };
    const erased = { type: 'SecurityRecordsErased', data: { last: examined.last, count: 2 } };
    const events = decideEraseSecurityRecords(initial, examined);
    expect(events).toEqual([{ type: 'BelongingErasureDeferred', data: held }, erased]);
    expect(decideEraseSecurityRecords(after(...events), examined)).toEqual([erased]);
  });
});

describe('a seal', () => {
  const interval = { events: 100, milliseconds: 60_000 };

  it.each([
    [{ events: 100, since: 10 }, 10, true],
    [{ events: 99, since: 10 }, 60_009, false],
    [{ events: 1, since: 10 }, 60_010, true],
    [{ events: 0, since: 0 }, 60_010, false],
  ])('of %j is due at %d: %s', (unsealed, now, isDue) => {
    expect(isSealDue(unsealed, interval, now)).toBe(isDue);
  });
});
