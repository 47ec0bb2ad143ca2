import {
  UnsupportedQueryError,
  type CollectionDefinition,
  type Document,
  type Keyed,
  type TermIndexDefinition,
} from '../port.js';
import type { Condition } from './conditions.js';
import { isWithin } from './terms.js';
import type { ParsedWrite } from './writes.js';

/** The rules that a collection's definition sets for writes. */
export type WriteRules = Pick<CollectionDefinition, 'integerKeys' | 'termIndex' | 'defaults'>;

/** @throws {UnsupportedQueryError} when a collection does not allow a write. */
export function checkCollectionWrite(
  write: ParsedWrite,
  { integerKeys, termIndex, defaults }: WriteRules,
): void {
  if (integerKeys === true && 'target' in write) checkIntegerKey(write.target.key);
  if (termIndex !== undefined) checkTerms(write, termIndex);
  if (defaults !== undefined) checkDefaults(write, defaults);
}

function checkIntegerKey(key: Keyed['_id'] | null): void {
  if (key === null || Number.isSafeInteger(key)) return;
  throw new UnsupportedQueryError('The keys of the collection are whole numbers');
}

function checkTerms(write: ParsedWrite, { path, of }: TermIndexDefinition): void {
  const condition = 'target' in write ? write.target.condition : write.condition;
  if (asksAbout(condition, path)) throw new UnsupportedQueryError('Terms are asked for by reads alone');
  const changed = 'changes' in write ? write.changes.map(({ parts }) => parts[0]) : [];
  if (changed.some((field) => field === of || field === path))
    throw new UnsupportedQueryError(`An update never changes ${of}`);
  if (write.kind === 'replace' && path in write.replacement)
    throw new UnsupportedQueryError(`${path} stands in no document`);
}

function asksAbout(condition: Condition, field: string): boolean {
  if ('path' in condition) return isWithin(condition.path, field);
  return condition.branches.some((branch) => asksAbout(branch, field));
}

function checkDefaults(write: ParsedWrite, defaults: Document): void {
  for (const field of Object.keys(defaults)) {
    if (lacks(write, field)) throw new UnsupportedQueryError(`Every document of the collection has ${field}`);
  }
}

function lacks(write: ParsedWrite, field: string): boolean {
  if (write.kind === 'replace') return write.replacement[field] === undefined;
  if (!('changes' in write)) return false;
  if (write.kind === 'update' && write.upsert) return true;
  return write.changes.some(
    ({ operator, parts }) => operator === '$unset' && parts.length === 1 && parts[0] === field,
  );
}
