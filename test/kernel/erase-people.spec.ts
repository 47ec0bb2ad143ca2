import { expect, it } from '@jest/globals';
import { ModelBehindError } from '../../projections/engine/reactor.js';
import { ErasePeople } from '../../src/erasure/erase-person.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { standIn } from '../support/stand-in.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const [active, deactivated] = [organization.register(), organization.register()];
organization.happened({ type: 'UserDeactivated', data: { userId: deactivated } });

/** What is erased upon a request. */
async function erasedUpon(
  userId: number,
  { isErased = false, areRecordsDecided = true } = {},
): Promise<readonly number[]> {
  const erased: number[] = [];
  const reactor = new ErasePeople({
    people: { goesWith: () => Promise.resolve(standIn({})) },
    legalHolds: { casesOfPerson: () => Promise.resolve([]) },
    deferred: { casesOfPerson: () => Promise.resolve([]) },
    streams: standIn<FoldedStreams>({ load: () => Promise.resolve({ state: organization.users }) }),
    areRecordsDecided: () => Promise.resolve(areRecordsDecided),
    eraser: {
      isErased: () => Promise.resolve(isErased),
      refusePerson: () => Promise.resolve(),
      erasePerson: (id) => {
        erased.push(id);
        return Promise.resolve();
      },
    },
  });
  const event = { type: 'PersonErasureRequested', data: { userId, operator: null } };
  await reactor.on[event.type]?.(standIn<RecordedEvent>(event));
  return erased;
}

it('a person is erased who is still deactivated when their turn comes', async () => {
  expect(await erasedUpon(deactivated)).toEqual([deactivated]);
  expect(await erasedUpon(active)).toEqual([]);
});

it('an interrupted erasure is completed, whatever happened to the account since', async () => {
  expect(await erasedUpon(active, { isErased: true })).toEqual([active]);
});

it('nobody is erased before it is decided whether holds keep what they discarded', async () => {
  await expect(erasedUpon(deactivated, { areRecordsDecided: false })).rejects.toThrow(ModelBehindError);
});
