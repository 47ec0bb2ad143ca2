/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and strings in ECMAScript's form. Like
 * `JSON.stringify`, it omits members that are `undefined`.
 *
 * @throws TypeError for values without a canonical form: NaN, infinities, lone surrogates, and anything that is not JSON
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value);
    case 'number':
      return canonicalNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      throw new TypeError(`A ${typeof value} is not JSON`);
  }
}

function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('A string with a lone surrogate has no canonical form');
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('A number that is not finite is not JSON');
  return String(value);
}

function canonicalArray(items: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ',';
    text += canonicalJson(items[index]);
  }
  return `${text}]`;
}

function canonicalObject(object: object): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null && !isForeignPlainObject(prototype)) {
    throw new TypeError('Only plain objects are JSON');
  }
  const members = object as Readonly<Record<string, unknown>>;
  let text = '';
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${canonicalString(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Plain objects of another realm (a worker's message, a test's sandbox) have that realm's own `Object.prototype`. */
function isForeignPlainObject(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}
