import type { SqlValue } from './connection.js';

/** A condition as SQL that is true of every matching document. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** Whether it is true only of matching documents; if not, the documents must be tested. */
  readonly exact: boolean;
  /** If it is not exact: SQL with the same parameters that is true only of matching documents. */
  readonly certain?: string;
}

const alwaysTrue: SqlCondition = { sql: '1', parameters: [], exact: true };
export const alwaysFalse: SqlCondition = { sql: '0', parameters: [], exact: true };

/** What SQL cannot decide. */
export const undecided: SqlCondition = { sql: '1', parameters: [], exact: false };

/** Number of operands in a chain before it is split into a tree. */
const MAX_CHAIN = 200;

/** Parameters of one statement: SQLite's limit is 32,766. */
const MAX_PARAMETERS = 30_000;

/** SQLite's limit for the depth of expressions is 1000, so long lists are joined as a tree. */
function joined(parts: readonly string[], operator: 'AND' | 'OR'): string {
  if (parts.length <= MAX_CHAIN) return parts.join(` ${operator} `);
  const middle = parts.length >> 1;
  return `(${joined(parts.slice(0, middle), operator)}) ${operator} (${joined(parts.slice(middle), operator)})`;
}

/** A condition with too many parameters is replaced by one that decides nothing. */
export function bindable(condition: SqlCondition): SqlCondition {
  return condition.parameters.length > MAX_PARAMETERS ? undecided : condition;
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  const parts: string[] = [];
  const parameters: SqlValue[] = [];
  let exact = true;
  for (const condition of conditions) {
    if (condition.sql === '0') return alwaysFalse;
    exact &&= condition.exact;
    if (condition.sql === '1') continue;
    parts.push(condition.sql);
    for (const parameter of condition.parameters) parameters.push(parameter);
  }
  if (parts.length === 0) return exact ? alwaysTrue : undecided;
  return { sql: joined(parts, 'AND'), parameters, exact };
}

export function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  const possible = conditions.filter(({ sql }) => sql !== '0');
  if (possible.length === 0) return alwaysFalse;
  const exact = possible.every((condition) => condition.exact);
  if (possible.some(({ sql }) => sql === '1')) return exact ? alwaysTrue : undecided;
  return bindable({
    sql: `(${joined(
      possible.map(({ sql }) => `(${sql})`),
      'OR',
    )})`,
    parameters: possible.flatMap(({ parameters }) => parameters),
    exact,
  });
}

/** The negation of a disjunction. Documents that certainly match a branch are excluded; of the others, only exact branches can decide. */
export function noneOf(conditions: readonly SqlCondition[]): SqlCondition {
  const negated = conditions.map(({ sql, parameters, exact, certain }) => {
    if (exact) return { sql: `NOT (${sql})`, parameters, exact };
    return certain === undefined ? undecided : { sql: `NOT (${certain})`, parameters, exact };
  });
  return bindable(allOf(negated));
}
