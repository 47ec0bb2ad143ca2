import { z } from 'zod';

/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A plain JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** For the default branch of a switch over a union: the compiler reports any case that is missing. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}

/** Copies an object without its undefined properties, which would replace values when spread over another object. */
export function definedOf<T extends object>(partial: {
  readonly [Key in keyof T]?: T[Key] | undefined;
}): Partial<T> {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** A value that is JSON text already; it is trusted, and written unchanged. */
export class RawJson {
  constructor(readonly text: string) {}
}

/**
 * The members of an object as JSON text, to be written beside others: what is between the braces.
 *
 * @param members any of them may be {@link RawJson}, or all together
 */
export function jsonMembersOf(members: object): string {
  if (members instanceof RawJson) return members.text.slice(1, -1);
  const texts = Object.entries(members).map(jsonMember);
  return texts.filter((text) => text !== '').join(',');
}

/** One member of an object as JSON text; empty if its value is undefined. */
export function jsonMember([name, value]: readonly [string, unknown]): string {
  if (value === undefined) return '';
  return `${JSON.stringify(name)}:${value instanceof RawJson ? value.text : JSON.stringify(value)}`;
}

/** Adds members to the JSON text of an object that has some. */
export function jsonWith(object: string, members: object): string {
  return `${object.slice(0, -1)},${jsonMembersOf(members)}}`;
}

/** Whether a value is an object with fields: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Any JSON object: a stored event is checked by its hash, not by its shape. */
export const jsonObjectSchema = z.custom<JsonObject>(isObject);
