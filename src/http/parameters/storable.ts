import { budgets } from '../../kernel/budgets.js';
import { type FaultPath, parameterFault, pathName } from './parameter-fault.js';

/**
 * Refuses values that some store cannot keep faithfully, or some reader cannot handle safely: a NUL, half of
 * a surrogate pair, a field named `__proto__`, and too deep nesting.
 *
 * @throws ApplicationError naming the place
 */
export function assertStorable(name: string, value: unknown): void {
  assertInner(name, value, []);
}

/** @param path to the value; one array is reused for all values, because there are many */
function assertInner(name: string, value: unknown, path: PropertyKey[]): void {
  if (typeof value === 'string') return assertText(name, value, path);
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= budgets.jsonDepth.max) throw parameterFault(`${name} is nested too deeply`);
  const isArray = Array.isArray(value);
  for (const [field, inner] of isArray ? value.entries() : Object.entries(value)) {
    if (!isArray) assertField(name, String(field), path);
    if (typeof inner !== 'string' && typeof inner !== 'object') continue;
    path.push(field);
    assertInner(name, inner, path);
    path.pop();
  }
}

function assertField(name: string, field: string, path: FaultPath): void {
  assertText(name, field, path);
  if (field === '__proto__')
    throw parameterFault(`Invalid ${pathName(name, path)}: no field may be named __proto__`);
}

function assertText(name: string, text: string, path: FaultPath): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw parameterFault(`${pathName(name, path)} holds characters that cannot be stored`);
}
