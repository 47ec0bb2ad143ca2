import { UnsupportedQueryError, type Update } from '../port.js';
import { checkValue, isFields, pathParts } from './documents.js';
import { isScalar } from './order.js';

/** One step of an update. */
export interface UpdateStep {
  readonly operator: keyof Update;
  readonly parts: readonly string[];
  readonly value: unknown;
}

const operators: ReadonlySet<string> = new Set<keyof Update>([
  '$set',
  '$unset',
  '$inc',
  '$min',
  '$max',
  '$push',
  '$addToSet',
  '$pull',
]);

function isOperator(name: string): name is keyof Update {
  return operators.has(name);
}

function checkChange(operator: keyof Update, value: unknown): void {
  switch (operator) {
    case '$unset':
      return;
    case '$inc':
    case '$min':
    case '$max':
      if (typeof value === 'number' && Number.isFinite(value)) return;
      throw new UnsupportedQueryError(`${operator} takes a finite number`);
    case '$push':
    case '$addToSet':
      return checkValue([value]);
    case '$pull':
      if (isScalar(value)) return checkValue(value);
      throw new UnsupportedQueryError('$pull takes a plain value');
    case '$set':
      if (value !== undefined) return checkValue(value);
      throw new UnsupportedQueryError('$set takes a value');
  }
}

function checkPaths(changes: readonly UpdateStep[]): void {
  const paths = changes.map((change) => `${change.parts.join('.')}.`).sort();
  paths.forEach((path, index) => {
    if (path.startsWith('_id.')) throw new UnsupportedQueryError('An update never changes _id');
    if (paths[index + 1]?.startsWith(path))
      throw new UnsupportedQueryError(`Two changes meet at ${path.slice(0, -1)}`);
  });
}

/**
 * Parses an update document.
 *
 * @throws {UnsupportedQueryError} when it is outside of the documented subset.
 */
export function parseUpdate(update: Update): readonly UpdateStep[] {
  const changes: UpdateStep[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (!isOperator(operator)) throw new UnsupportedQueryError(`An update knows no ${operator}`);
    if (!isFields(fields)) throw new UnsupportedQueryError(`${operator} takes an object of paths`);
    for (const [path, value] of Object.entries(fields)) {
      checkChange(operator, value);
      changes.push({ operator, parts: pathParts(path), value });
    }
  }
  if (changes.length === 0) throw new UnsupportedQueryError('An update changes something');
  checkPaths(changes);
  return changes;
}
