import type { SqlValue } from './connection.js';

/** A condition as SQL that every matching document passes. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** Whether nothing but matching documents passes; if not, the documents are to be looked at. */
  readonly exact: boolean;
  /** Where it is not exact: SQL with the same parameters that nothing but matching documents passes. */
  readonly certain?: string;
}

export const TRUE: SqlCondition = { sql: '1', parameters: [], exact: true };
export const FALSE: SqlCondition = { sql: '0', parameters: [], exact: true };

/** What SQL cannot tell. */
export const UNKNOWN: SqlCondition = { sql: '1', parameters: [], exact: false };

/** Operands that are chained before they are split into a tree. */
const MAX_CHAIN = 200;

/** Values of one statement: SQLite binds 32,766 at most. */
const MAX_PARAMETERS = 30_000;

/** SQLite takes no deeper expressions than 1000, so that long lists are joined as a tree. */
function joined(parts: readonly string[], operator: 'AND' | 'OR'): string {
  if (parts.length <= MAX_CHAIN) return parts.join(` ${operator} `);
  const middle = parts.length >> 1;
  return `(${joined(parts.slice(0, middle), operator)}) ${operator} (${joined(parts.slice(middle), operator)})`;
}

/** What SQL can still tell when there is too much to bind: nothing. */
export function bindable(condition: SqlCondition): SqlCondition {
  return condition.parameters.length > MAX_PARAMETERS ? UNKNOWN : condition;
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  const parts: string[] = [];
  const parameters: SqlValue[] = [];
  let exact = true;
  for (const condition of conditions) {
    if (condition.sql === '0') return FALSE;
    exact &&= condition.exact;
    if (condition.sql === '1') continue;
    parts.push(condition.sql);
    for (const parameter of condition.parameters) parameters.push(parameter);
  }
  if (parts.length === 0) return exact ? TRUE : UNKNOWN;
  return { sql: joined(parts, 'AND'), parameters, exact };
}

export function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  const possible = conditions.filter(({ sql }) => sql !== '0');
  if (possible.length === 0) return FALSE;
  const exact = possible.every((condition) => condition.exact);
  if (possible.some(({ sql }) => sql === '1')) return exact ? TRUE : UNKNOWN;
  return bindable({
    sql: `(${joined(
      possible.map(({ sql }) => `(${sql})`),
      'OR',
    )})`,
    parameters: possible.flatMap(({ parameters }) => parameters),
    exact,
  });
}

/** What certainly matches a branch is ruled out; of the rest, only exact branches can say that it does not match. */
export function noneOf(conditions: readonly SqlCondition[]): SqlCondition {
  const negated = conditions.map(({ sql, parameters, exact, certain }) => {
    if (exact) return { sql: `NOT (${sql})`, parameters, exact };
    return certain === undefined ? UNKNOWN : { sql: `NOT (${certain})`, parameters, exact };
  });
  return bindable(allOf(negated));
}
