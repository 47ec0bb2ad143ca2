import type { EventLog } from '../../../src/stores/event-store/event-log.js';
import { append, event } from './test-log.js';

/** Everything that can happen to accounts, their removal and return included. */
export async function appendHistory(log: EventLog): Promise<void> {
  await append(log, event('Opened', 1, { name: 'ann' }), event('Opened', 2, { name: 'bob' }));
  await append(log, event('Paid', 1, { amount: 5 }), event('Paid', 2, { amount: 7 }), event('Closed', 2));
  await append(log, event('Opened', 3, { name: 'ann' }), event('Paid', 1, { amount: 2 }));
  await append(log, event('Renamed', 1, { name: 'cid' }), event('Renamed', 3, { name: 'bob' }));
  await append(
    log,
    event('Paid', 3, { amount: 40 }),
    event('Closed', 1),
    event('Opened', 2, { name: 'dora' }),
  );
  await append(
    log,
    event('Closed', 3),
    event('Opened', 1, { name: 'eve' }),
    event('Paid', 2),
    event('Paid', 1),
  );
}
