import { expect, it } from '@jest/globals';
import type { Directory } from '../../src/access/directory.js';
import { Delivery } from '../../src/realtime/delivery.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import { standIn } from '../support/stand-in.js';

it('An event is made only for clients that want one of its types', async () => {
  const options = { ...requestedOptionsOf({}, undefined), allPublicChannels: false, narrow: everyMessage };
  const queues = new EventQueues();
  const all = queues.open(3, options);
  const some = queues.open(3, { ...options, eventTypes: new Set(['message']) });
  const directory = standIn<Directory>({ user: () => ({ id: 3, isActive: true }) });
  const delivery = new Delivery(queues);
  const source = { position: 1, after: 0 };
  const madeFor: string[] = [];
  const event = ({ queueId }: { readonly queueId: string }): { type: string } => {
    madeFor.push(queueId);
    return { type: 'reaction' };
  };
  await delivery.deliver([{ to: [3], types: ['reaction'], event }], { directory, source });
  expect(madeFor).toEqual([all.owner.id]);
  await delivery.deliver([{ to: [3], event }], { directory, source: { position: 2, after: 1 } });
  expect(madeFor).toEqual([all.owner.id, all.owner.id, some.owner.id]);
  expect([all.take(), some.take()].map((events) => (JSON.parse(events) as unknown[]).length)).toEqual([2, 0]);
});
