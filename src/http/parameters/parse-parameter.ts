import { plainToInstance } from 'class-transformer';
import { budgets } from '../../kernel/budgets.js';
import { parameterFault, pathName, type FaultPath } from './parameter-fault.js';
import type { ParameterDefinition } from './parameter-plan.js';
import { parseJson } from './parse-json.js';

/**
 * Refuses values that some store cannot keep faithfully, or some reader cannot handle safely: a NUL, half of
 * a surrogate pair, a field named `__proto__`, and too deep nesting.
 *
 * @throws ApplicationError naming the place
 */
function assertStorable(name: string, value: unknown): void {
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

/**
 * Converts the text of a parameter to its value.
 *
 * @returns null for a JSON `null`
 * @throws ApplicationError when the text is not a value of the parameter's kind
 */
export function parseParameter(definition: ParameterDefinition, text: string): unknown {
  const { name } = definition;
  switch (definition.kind) {
    case 'text':
      return storable(name, text);
    case 'boolean':
      return parseBoolean(name, text);
    case 'integer':
      return parseInteger(name, text);
    case 'json':
      return structured(definition, storable(name, parsedJson(name, text)));
    case 'json-or-text':
      return structured(definition, storable(name, parseJsonOrText(name, text)));
  }
}

function parseBoolean(name: string, text: string): boolean | null {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (parsedJson(name, text) === null) return null;
  throw parameterFault(`${name} is not a boolean`);
}

function parseInteger(name: string, text: string): number | null {
  const value = /^-?[1-9]\d{0,14}$/.test(text) ? Number(text) : parsedJson(name, text);
  if (value === null) return null;
  if (Number.isSafeInteger(value)) return (value as number) + 0;
  throw parameterFault(`${name} is not an integer`);
}

function parsedJson(name: string, text: string): unknown {
  try {
    return parseJson(name, text);
  } catch (error) {
    if (error instanceof SyntaxError) throw parameterFault(`${name} is not valid JSON`);
    throw error;
  }
}

/**
 * Most texts cannot be JSON by their beginning; a parser exception would cost more than the rest of the
 * request.
 */
const mayBeJson = /^\s*(?:[[{"\d-]|true|false|null)/;

function parseJsonOrText(name: string, text: string): unknown {
  if (!mayBeJson.test(text)) return text;
  try {
    return parseJson(name, text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function storable<Value>(name: string, value: Value): Value {
  assertStorable(name, value);
  return value;
}

function structured({ name, type, schema }: ParameterDefinition, value: unknown): unknown {
  if (value === null) return null;
  if (type !== undefined) return instanceOf(name, type(), value);
  if (schema === undefined) return value;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw parameterFault(`Invalid ${pathName(name, issue?.path ?? [])}: ${issue?.message ?? 'not valid'}`);
}

function instanceOf(name: string, type: new () => object, value: unknown): unknown {
  const objects = Array.isArray(value) ? value : [value];
  const stray = objects.findIndex(
    (object) => typeof object !== 'object' || object === null || Array.isArray(object),
  );
  if (stray < 0) return plainToInstance(type, value);
  throw parameterFault(`${pathName(name, Array.isArray(value) ? [stray] : [])} is not an object`);
}
