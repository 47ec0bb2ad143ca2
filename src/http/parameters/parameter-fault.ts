import type { ValidationError } from 'class-validator';
import { type ApplicationError, failure } from '../../kernel/errors.js';

/** The place of a fault within a parameter: indexes of arrays and names of fields. */
export type FaultPath = readonly PropertyKey[];

/** Formats a path as the API does: `subscriptions[1]["name"]`. */
export function pathName(parameter: string, path: FaultPath): string {
  return path.reduce<string>(
    (name, step) => `${name}[${typeof step === 'number' ? step : JSON.stringify(String(step))}]`,
    parameter,
  );
}

/** The error of a parameter whose value is not valid. */
export function parameterFault(reason: string): ApplicationError {
  return failure('invalidParameter', { reason });
}

/** The error of the first fault that class-validator found; a decorator's own `message` is used unchanged. */
export function validationFault(error: ValidationError): ApplicationError {
  const path: PropertyKey[] = [];
  let innermost = error;
  while (innermost.constraints === undefined && innermost.children?.[0] !== undefined) {
    innermost = innermost.children[0];
    path.push(/^\d+$/.test(innermost.property) ? Number(innermost.property) : innermost.property);
  }
  // Decorators run from the bottom up: the last fault belongs to the decorator that is written first.
  const message = Object.values(innermost.constraints ?? {}).at(-1) ?? `${error.property} is not valid`;
  const name = pathName(error.property, path);
  if (path.length === 0) return parameterFault(message);
  return parameterFault(`Invalid ${name}: ${message}`);
}
