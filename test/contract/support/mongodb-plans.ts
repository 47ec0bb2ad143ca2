import type { Collection, Document } from 'mongodb';

/** What MongoDB's `explain` says of how it answers a query: a tree of stages, differently nested from version to version. */
export type Explained = Document;

/** The names of all stages of the plan that was chosen; empty: the server tells of none. */
export function stagesOf({ queryPlanner }: Explained): readonly string[] {
  const plan = (queryPlanner as { readonly winningPlan?: unknown } | undefined)?.winningPlan;
  return [...stagesIn(plan)];
}

/** Stages that hold a query up until many documents are read: a scan of the collection, and a sort in memory, unlike `SORT_MERGE`. */
const heldUpBy: ReadonlySet<string> = new Set(['COLLSCAN', 'SORT']);

/** What is wrong with a plan that an index should answer, in order; empty: nothing. */
export function faultsOf(explained: Explained): readonly string[] {
  const stages = stagesOf(explained);
  return stages.length === 0 ? ['no plan'] : stages.filter((stage) => heldUpBy.has(stage));
}

function* stagesIn(part: unknown): Iterable<string> {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (name === 'stage' && typeof inner === 'string') yield inner;
    // A cluster tells of each shard's rejected plans where its own plan stands.
    else if (name !== 'rejectedPlans') yield* stagesIn(inner);
  }
}

/** Whether a server answers from indexes, and says so: some that speak the protocol look at every document whatever is asked. */
export async function usesIndexes(probe: Collection<{ field: number }>): Promise<boolean> {
  await probe.createIndex({ field: 1 });
  await probe.insertMany([{ field: 1 }, { field: 2 }]);
  return stagesOf(await probe.find({ field: 1 }).explain('queryPlanner')).includes('IXSCAN');
}
