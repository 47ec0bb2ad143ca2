import { expect, it } from '@jest/globals';
import type { BatchedHandler, DocumentReference } from '../../projections/engine/projection.js';
import { UnitOfWork } from '../../projections/engine/unit-of-work.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { standIn } from '../support/stand-in.js';

const model = standIn<ModelStore>({ collection: () => ({ find: async () => [] }) });
const event = standIn<RecordedEvent>({ type: 'Listed', position: 1, data: {} });

it('An event that reads many documents looks at the list of them a few times, not once for each', async () => {
  const count = 2_000;
  let looks = 0;
  const references = Array.from({ length: count }, (_, id): DocumentReference => ({
    get collection() {
      looks += 1;
      return 'people';
    },
    id,
  }));
  const handler: BatchedHandler = {
    reads: () => references,
    apply: (_event, documents) => {
      for (let id = 0; id < count; id += 1) expect(documents.get('people', id)).toBeNull();
      return [];
    },
  };
  const unit = await UnitOfWork.load(model, [event], [handler]);
  unit.apply(0, event, handler);
  expect(looks).toBeLessThan(10 * count);
});

it('A handler gets only documents that it said it reads', async () => {
  const handler: BatchedHandler = {
    reads: () => [{ collection: 'people', id: 1 }],
    apply: (_event, documents) => {
      expect(documents.get('people', 1)).toBeNull();
      expect(() => documents.get('people', 2)).toThrow('did not say that it reads people 2');
      expect(() => documents.get('groups', 1)).toThrow('did not say that it reads groups 1');
      return [];
    },
  };
  const unit = await UnitOfWork.load(model, [event], [handler]);
  unit.apply(0, event, handler);
});
