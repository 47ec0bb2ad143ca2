import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { makeProofBundle, TooManyProofsError } from '../../src/audit/sealing/make-proof-bundle.js';
import { budgets } from '../../src/kernel/budgets.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { atTheTime } from '../support/given.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

it('A proof bundle that is requested over HTTP has a maximum number of events', async () => {
  const metadata = { actorId: 5, causationId: null, client: 'test', at: atTheTime };
  const starred = { type: 'MessagesUnstarred', data: { userId: 5, messageIds: [1] } } as const;
  const events = Array.from({ length: budgets.proofEvents.max + 1 }, () => starred);
  const target = { stream: 'flags-5', expected: 'no-stream' } as const;
  await stores.log.append(target, events, { ...metadata, commandId: randomCommandId() });
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const make = (last: number): ReturnType<typeof makeProofBundle> =>
    makeProofBundle(stores.eventStore, {
      organization: { organization: 'Engines' },
      statedAt: '2026-01-01T00:00:00Z',
      earlier: null,
      proves: ({ revision }) => revision <= last,
      maxEvents: budgets.proofEvents.max,
      key,
    });
  expect((await make(budgets.proofEvents.max - 1)).inclusions).toHaveLength(budgets.proofEvents.max);
  await expect(make(budgets.proofEvents.max)).rejects.toThrow(TooManyProofsError);
});
