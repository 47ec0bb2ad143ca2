import { conjuncts, type Condition } from '../language/conditions.js';
import { pathParts } from '../language/documents.js';
import type { SortKey } from '../language/options.js';
import type { CollectionSchema } from './collection-schema.js';
import { predicateOf } from './predicate.js';
import { isScalarEquality } from './source.js';

/** Maximum number of branches when disjunctions are multiplied out. */
const MAX_PRODUCTS = 2000;

/** Conditions that must all be met. */
export type Conjunction = readonly Condition[];

/** Whether some index has the documents of each single value of a list in the wanted order. */
function unlocksOrder(
  { indexes, multikeyIndexes }: CollectionSchema,
  path: string,
  sort: readonly SortKey[],
): boolean {
  const [first] = sort;
  return [...indexes, ...multikeyIndexes].some(({ keys }) => {
    const at = keys.findIndex((key) => key.path === path);
    return at >= 0 && keys.findIndex((key) => key.path === first?.path) > at;
  });
}

/** The alternatives of a condition, each of which an index can answer; null: it is no such disjunction. */
function alternatives(
  schema: CollectionSchema,
  condition: Condition,
  sort: readonly SortKey[],
): readonly Conjunction[] | null {
  if (condition.kind === 'or') return condition.branches.flatMap((branch) => split(schema, branch, sort));
  if (condition.kind !== 'in' || !unlocksOrder(schema, condition.path, sort)) return null;
  const { path, values } = condition;
  return [...new Set(values)].map((value) => [{ kind: 'equal', path, value }]);
}

function split(
  schema: CollectionSchema,
  condition: Condition,
  sort: readonly SortKey[],
): readonly Conjunction[] {
  const plain: Condition[] = [];
  let branches: readonly Conjunction[] = [plain];
  for (const one of conjuncts(condition)) {
    const ways = alternatives(schema, one, sort);
    if (ways === null || (branches.length > 1 && branches.length * ways.length > MAX_PRODUCTS))
      plain.push(one);
    else
      branches = branches.flatMap((branch) =>
        ways.map((way) => (branch === plain ? way : [...branch, ...way])),
      );
  }
  if (branches.length === 1 && branches[0] === plain) return branches;
  return plain.length === 0 ? branches : branches.map((branch) => [...branch, ...plain]);
}

function asksOnlyAbout(path: string, condition: Condition): boolean {
  if ('path' in condition) return condition.path === path;
  return condition.branches.every((branch) => asksOnlyAbout(path, branch));
}

function documentWith(path: string, value: unknown): { [field: string]: unknown } {
  return pathParts(path).reduceRight((inner, part) => ({ [part]: inner }), value) as {
    [field: string]: unknown;
  };
}

/** Removes conditions that a branch's equalities already imply; null: the branch is contradictory. */
function simplified({ columns }: CollectionSchema, branch: Conjunction): Conjunction | null {
  let remaining = branch;
  for (const equality of branch) {
    if (!isScalarEquality(equality) || (equality.path !== '_id' && !columns.has(equality.path))) continue;
    if (!remaining.includes(equality)) continue;
    const { path, value } = equality;
    const decided = remaining.filter(
      (one) => one !== equality && one.kind !== 'exists' && asksOnlyAbout(path, one),
    );
    if (decided.length === 0) continue;
    const document = documentWith(path, value);
    if (!decided.every((one) => predicateOf(one)(document))) return null;
    remaining = remaining.filter((one) => !decided.includes(one));
  }
  return remaining;
}

/** Splits a filter at its disjunctions into branches that an index can answer one by one in the wanted order. A document may match several. */
export function branchesOf(
  schema: CollectionSchema,
  condition: Condition,
  sort: readonly SortKey[],
): readonly Conjunction[] {
  const branches = split(schema, condition, sort);
  if (branches.length < 2) return branches;
  return branches.map((branch) => simplified(schema, branch)).filter((branch) => branch !== null);
}
