import { UnsupportedQueryError, type Keyed, type Write } from '../port.js';
import { conjuncts, parseFilter, type Condition } from './conditions.js';
import { checkDocument, checkKey } from './documents.js';
import { parseUpdate, type UpdateStep } from './updates.js';

/** A change of one document that is identified by its key. */
export interface KeyedTarget {
  readonly key: Keyed['_id'] | null;
  readonly condition: Condition;
  /** Whether the condition tests more than the key. */
  readonly guarded: boolean;
}

/** A parsed and validated write. */
export type ParsedWrite =
  | {
      readonly kind: 'replace';
      readonly target: KeyedTarget;
      readonly replacement: Keyed;
      readonly upsert: boolean;
    }
  | {
      readonly kind: 'update';
      readonly target: KeyedTarget;
      readonly changes: readonly UpdateStep[];
      readonly upsert: boolean;
    }
  | { readonly kind: 'update-many'; readonly condition: Condition; readonly changes: readonly UpdateStep[] }
  | { readonly kind: 'delete'; readonly target: KeyedTarget }
  | { readonly kind: 'delete-many'; readonly condition: Condition };

function keyOf(conditions: readonly Condition[]): Keyed['_id'] | null {
  for (const condition of conditions) {
    if (condition.kind === 'equal' && condition.path === '_id') {
      checkKey(condition.value);
      return condition.value;
    }
  }
  return null;
}

function parseTarget(filter: Parameters<typeof parseFilter>[0]): KeyedTarget {
  const condition = parseFilter(filter);
  const conditions = conjuncts(condition);
  const key = keyOf(conditions);
  return { key, condition, guarded: key === null || conditions.length > 1 };
}

/** MongoDB copies the equalities of an upsert's filter into the new document, but not its comparisons. */
function checkUpsertGuard(target: KeyedTarget): void {
  if (target.key === null) throw new UnsupportedQueryError('An upsert names the _id');
  for (const condition of conjuncts(target.condition)) {
    const plain = condition.kind === 'compare' || condition.kind === 'exists' || condition.kind === 'size';
    const key = condition.kind === 'equal' && condition.path === '_id';
    if (!plain && !key && condition.kind !== 'nor') {
      throw new UnsupportedQueryError(
        'The guard of an upserting update compares, and equals nothing but _id',
      );
    }
  }
}

function parseReplace(write: Extract<Write, { replaceOne: unknown }>['replaceOne']): ParsedWrite {
  checkDocument(write.replacement);
  const target = parseTarget(write.filter);
  if (target.key !== write.replacement._id) {
    throw new UnsupportedQueryError('The filter of replaceOne names the _id of its replacement');
  }
  return { kind: 'replace', target, replacement: write.replacement, upsert: write.upsert ?? false };
}

function parseUpdateOne(write: Extract<Write, { updateOne: unknown }>['updateOne']): ParsedWrite {
  const target = parseTarget(write.filter);
  const upsert = write.upsert ?? false;
  if (upsert) checkUpsertGuard(target);
  return { kind: 'update', target, changes: parseUpdate(write.update), upsert };
}

/**
 * Parses and validates a write.
 *
 * @throws {UnsupportedQueryError} when it is outside of the documented subset.
 */
export function parseWrite(write: Write): ParsedWrite {
  if ('replaceOne' in write) return parseReplace(write.replaceOne);
  if ('updateOne' in write) return parseUpdateOne(write.updateOne);
  if ('deleteOne' in write) return { kind: 'delete', target: parseTarget(write.deleteOne.filter) };
  if ('deleteMany' in write) return { kind: 'delete-many', condition: parseFilter(write.deleteMany.filter) };
  const { filter, update } = write.updateMany;
  return { kind: 'update-many', condition: parseFilter(filter), changes: parseUpdate(update) };
}
