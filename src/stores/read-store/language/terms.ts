import {
  UnsupportedQueryError,
  type Filter,
  type FindOptions,
  type Operand,
  type TermIndexDefinition,
} from '../port.js';
import { parseFilter, type Condition } from './conditions.js';

const termForm = /^[a-z0-9\u0080-\u{10ffff}]+$/u;

/** The distinct terms of a text, as in an index. */
export function termsOf({ terms }: TermIndexDefinition, text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  const found = new Set<string>();
  for (const term of terms(text)) found.add(checkedTerm(term));
  return [...found];
}

function checkedTerm(term: Operand): string {
  const wellFormed = typeof term === 'string' ? term.toWellFormed() : '';
  if (termForm.test(wellFormed)) return wellFormed;
  throw new UnsupportedQueryError(`${JSON.stringify(term)} is no term`);
}

/**
 * Parses the filter of a read from a collection that may have an index of terms.
 *
 * @throws {UnsupportedQueryError} when it is outside of the documented subset.
 */
export function parseReadFilter(filter: Filter, index: TermIndexDefinition | undefined): Condition {
  const condition = parseFilter(filter);
  if (index !== undefined) checkTermConditions(condition, index.path);
  return condition;
}

function checkTermConditions(condition: Condition, path: string): void {
  if (!('path' in condition)) return condition.branches.forEach((one) => checkTermConditions(one, path));
  if (!isWithin(condition.path, path)) return;
  if (condition.path !== path || (condition.kind !== 'equal' && condition.kind !== 'in'))
    throw new UnsupportedQueryError(`${path} can only be asked to equal a term`);
  const asked = condition.kind === 'in' ? condition.values : [condition.value].flat();
  asked.forEach(checkedTerm);
  if (condition.kind === 'equal' && Array.isArray(condition.value))
    throw new UnsupportedQueryError(`${path} holds no list`);
}

/** Whether a path is a field or leads into it. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/** @throws {UnsupportedQueryError} when a read sorts by terms or selects them. */
export function checkTermOptions(
  { sort = {}, projection = {} }: FindOptions,
  index: TermIndexDefinition | undefined,
): void {
  if (index === undefined) return;
  if ([...Object.keys(sort), ...Object.keys(projection)].some((path) => isWithin(path, index.path)))
    throw new UnsupportedQueryError(`${index.path} stands in no document`);
}
