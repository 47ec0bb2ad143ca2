import { type FaultPath, parameterFault, pathName } from './parameter-fault.js';

/** The deepest nesting of JSON that a parameter may have: far beyond what any has, and shallow enough to be walked. */
const MAX_DEPTH = 32;

/**
 * Refuses what cannot be kept faithfully in every store, or read safely by every reader: a NUL, half of a surrogate
 * pair, a field named `__proto__`, and nesting beyond {@link MAX_DEPTH}.
 *
 * @throws ApplicationError naming the place
 */
export function assertStorable(name: string, value: unknown, path: FaultPath = []): void {
  if (typeof value === 'string') return assertText(name, value, path);
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= MAX_DEPTH) throw parameterFault(`${name} is nested too deeply`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const element: unknown = value[index];
      if (typeof element === 'string' || typeof element === 'object')
        assertStorable(name, element, [...path, index]);
    }
    return;
  }
  for (const [field, inner] of Object.entries(value)) {
    assertText(name, field, path);
    if (field === '__proto__')
      throw parameterFault(`Invalid ${pathName(name, path)}: no field may be named __proto__`);
    assertStorable(name, inner, [...path, field]);
  }
}

function assertText(name: string, text: string, path: FaultPath): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw parameterFault(`${pathName(name, path)} holds characters that cannot be stored`);
}
