import type { BatchedHandler, Projection } from '../../../projections/engine/projection.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';

interface AccountEvent {
  readonly account: number;
  readonly name?: string;
  readonly amount?: number;
}

export interface AccountDocument {
  readonly [field: string]: unknown;
  readonly _id: number;
  readonly name: string;
  readonly balance: number;
}

export interface TotalsDocument {
  readonly [field: string]: unknown;
  readonly _id: 'all';
  readonly open: number;
  readonly balance: number;
  /** The largest balance that any account ever had: depends on another document's state at that moment. */
  readonly record: number;
  readonly renamed: number;
}

const noTotals: TotalsDocument = { _id: 'all', open: 0, balance: 0, record: 0, renamed: 0 };

const dataOf = (event: RecordedEvent): AccountEvent => event.data as AccountEvent;

const reads = (event: RecordedEvent) => [
  { collection: 'accounts', id: dataOf(event).account },
  { collection: 'totals', id: 'all' },
];

/** Reads one document to change another, removes and makes again, and changes by filters: whatever can go wrong. */
export const accountsProjection: Projection = {
  name: 'accounts',
  version: 1,
  collections: [
    { name: 'accounts', indexes: [{ key: { name: 1 } }] },
    { name: 'totals', indexes: [] },
    { name: 'payments', indexes: [] },
  ],
  on: {
    Opened: {
      reads,
      apply: (event, documents) => {
        const { account, name = 'nobody' } = dataOf(event);
        const totals = documents.get<TotalsDocument>('totals', 'all') ?? noTotals;
        return [
          { put: { _id: account, name, balance: 0 }, collection: 'accounts' },
          { put: { ...totals, open: totals.open + 1 }, collection: 'totals' },
        ];
      },
    },
    Paid: {
      reads,
      apply: (event, documents) => {
        const { account, amount = 1 } = dataOf(event);
        const before = documents.get<AccountDocument>('accounts', account);
        const totals = documents.get<TotalsDocument>('totals', 'all') ?? noTotals;
        if (before === null) return [];
        const balance = before.balance + amount;
        const record = Math.max(totals.record, balance);
        return [
          { put: { ...before, balance }, collection: 'accounts' },
          { put: { ...totals, balance: totals.balance + amount, record }, collection: 'totals' },
          { put: { _id: `${account}/${before.balance}`, account, amount }, collection: 'payments' },
        ];
      },
    },
    Renamed: {
      applyAlone: async (event, model) => {
        const { account, name = 'nobody' } = dataOf(event);
        const renamed = await model.collection<AccountDocument>('accounts').findOne({ _id: account });
        if (renamed === null) return [];
        const namesakes = { name: renamed.name };
        const touched = await model.collection('accounts').countDocuments(namesakes);
        const totals = (await model.collection<TotalsDocument>('totals').findOne({ _id: 'all' })) ?? noTotals;
        return [
          {
            updateMany: { filter: namesakes, update: { $set: { name }, $inc: { renames: 1 } } },
            collection: 'accounts',
          },
          { updateMany: { filter: { name }, update: { $inc: { balance: 1 } } }, collection: 'accounts' },
          { put: { ...totals, renamed: totals.renamed + touched }, collection: 'totals' },
        ];
      },
    },
    Closed: {
      applyRun: async (events, model) => {
        const ids = events.map((event) => dataOf(event).account);
        const closed = await model.collection<AccountDocument>('accounts').find({ _id: { $in: ids } });
        const totals = (await model.collection<TotalsDocument>('totals').findOne({ _id: 'all' })) ?? noTotals;
        if (closed.length === 0) return [];
        const balance = closed.reduce((sum, account) => sum + account.balance, 0);
        return [
          ...closed.map(({ _id }) => ({ remove: _id, collection: 'accounts' })),
          {
            put: { ...totals, open: totals.open - closed.length, balance: totals.balance - balance },
            collection: 'totals',
          },
        ];
      },
    },
  },
};

/** The same model with one of its batched handlers exchanged. */
export function withHandler(type: string, change: (handler: BatchedHandler) => BatchedHandler): Projection {
  const handler = accountsProjection.on[type];
  if (handler === undefined || !('apply' in handler)) throw new Error(`${type} is not applied in batches`);
  return { ...accountsProjection, on: { ...accountsProjection.on, [type]: change(handler) } };
}
