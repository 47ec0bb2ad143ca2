import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type Document, type Filter } from 'mongodb';
import { messagesProjection } from '../../projections/messages.projection.js';
import { connectMongoReadStore } from '../../src/stores/read-store/mongodb/mongo-read-store.js';
import type { ModelStore, ReadStore } from '../../src/stores/read-store/port.js';
import { everyNarrow, nameOf } from '../projection/support/every-narrow.js';
import { pageRequests, queriesOf } from '../projection/support/narrow-queries.js';
import { batchOf, messagesOf, worlds } from '../projection/support/narrow-world.js';
import { mongoDatabaseUrl, mongoUrl } from './mongo-database.js';
import { faultsOf, stagesOf, usesIndexes } from './support/mongodb-plans.js';

async function plansOnServer(): Promise<boolean> {
  if (mongoUrl === undefined) return false;
  const client = await MongoClient.connect(mongoDatabaseUrl('plans_probe'));
  try {
    return await usesIndexes(client.db().collection('probe'));
  } finally {
    await client.db().dropDatabase();
    await client.close();
  }
}

const isPlanned = await plansOnServer();
const why = mongoUrl === undefined ? 'MONGODB_URL is not set' : 'the server answers from no index';

(isPlanned ? describe : describe.skip)(`the plans of MongoDB${isPlanned ? '' : ` (not run: ${why})`}`, () => {
  const url = mongoDatabaseUrl('plans');
  let client: MongoClient;
  let store: ReadStore;
  let model: ModelStore;

  beforeAll(async () => {
    client = await MongoClient.connect(url);
    store = await connectMongoReadStore({ url });
    model = await store.openModel('messages', 1, messagesProjection.collections);
    await model.commit(batchOf(messagesOf(worlds[0]!, 400)));
  });

  afterAll(async () => {
    await store.close();
    await client.db().dropDatabase();
    await client.close();
  });

  it('scan no collection and sort nothing in memory, for any narrow', async () => {
    const faulty: string[] = [];
    for (const [at, { terms }] of everyNarrow().entries()) {
      const queries = await queriesOf(model, terms, pageRequests[at % pageRequests.length]!);
      for (const { collection, filter, options } of queries) {
        const documents = client.db().collection(`${collection}__v1`);
        const explained = await documents.find(filter as Filter<Document>, options).explain('queryPlanner');
        if (faultsOf(explained).length === 0) continue;
        const stages = stagesOf(explained).join();
        faulty.push(`${nameOf(terms)}: ${collection} ${JSON.stringify(filter)} by ${stages}`);
      }
    }
    expect(faulty).toEqual([]);
  }, 600_000);
});

describe('what MongoDB says of its plans', () => {
  const scan = { stage: 'COLLSCAN', direction: 'forward' };
  const seek = { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'a_1' } };

  it.each([
    ['one plan', { queryPlanner: { winningPlan: seek, rejectedPlans: [scan] } }, ['FETCH', 'IXSCAN']],
    [
      'branches',
      { queryPlanner: { winningPlan: { stage: 'OR', inputStages: [seek, scan] } } },
      ['OR', 'FETCH', 'IXSCAN', 'COLLSCAN'],
    ],
    [
      'a plan of the slot-based engine',
      { queryPlanner: { winningPlan: { queryPlan: seek, slotBasedPlan: { stages: '[1] project' } } } },
      ['FETCH', 'IXSCAN'],
    ],
    [
      'the plans of shards',
      {
        queryPlanner: {
          winningPlan: {
            stage: 'SINGLE_SHARD',
            shards: [{ shardName: 'a', winningPlan: seek, rejectedPlans: [scan] }],
          },
        },
      },
      ['SINGLE_SHARD', 'FETCH', 'IXSCAN'],
    ],
    ['another server', { queryPlanner: { Plan: ['SCAN m'] } }, []],
  ])('is understood: %s', (_what, explained, stages) => {
    expect(stagesOf(explained)).toEqual(stages);
  });

  const sorting = { stage: 'SORT', sortPattern: { _id: -1 }, memLimit: 104_857_600, inputStage: seek };
  const limited = (inputStage: object): object => ({ stage: 'LIMIT', limitAmount: 10, inputStage });
  it.each([
    ['an index in order', limited(seek), []],
    [
      'several ranges of an index, merged in order',
      limited({ stage: 'SORT_MERGE', inputStages: [seek] }),
      [],
    ],
    ['a sort in memory', limited(sorting), ['SORT']],
    ['a sort in memory by the slot-based engine', { queryPlan: sorting, slotBasedPlan: {} }, ['SORT']],
    ['a scan of the collection', limited(scan), ['COLLSCAN']],
    [
      'a sort of a scan on one of the shards',
      {
        stage: 'SHARD_MERGE',
        shards: [{ winningPlan: seek }, { winningPlan: { ...sorting, inputStage: scan } }],
      },
      ['SORT', 'COLLSCAN'],
    ],
  ])('is judged: %s', (_what, winningPlan, faults) => {
    expect(faultsOf({ queryPlanner: { winningPlan } })).toEqual(faults);
  });

  it('is not accepted where the server does not say anything', () => {
    expect(faultsOf({ queryPlanner: { Plan: ['SCAN m'] } })).toEqual(['no plan']);
  });
});
