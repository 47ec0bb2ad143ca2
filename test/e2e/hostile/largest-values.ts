import { budgets } from '../../../src/kernel/budgets.js';
import { MAX_BODY_BYTES } from '../../../src/http/server/limits.js';
import type { SeededRandom } from '../../crash/support/seeded-random.js';
import type { DocumentedParameter, Schema } from './documented-operations.js';
import { isAscii, rightListText, rightText } from './right-shapes.js';
import { sample, type HostileValue } from './values.js';

/** Values of one parameter on both sides of a bound. */
export interface BoundedValues {
  /** The largest ones that are accepted. */
  readonly largest: readonly HostileValue[];
  /** Those that exceed the bound by one. */
  readonly larger: readonly HostileValue[];
}

/** How many characters the shape of a text needs around what fills it, at most. */
const MAX_AROUND = 150;

/** Bytes of a body that the other parameters of its operation need. */
const OTHERS = 20_000;

/** Letters of one byte, and characters of four bytes, with what one of them counts for. */
const letters = {
  name: 'letters',
  text: 'x',
  'code points': 1,
  'UTF-16 units': 1,
  encoded: 1,
};
const emoji = {
  name: 'characters of four bytes',
  text: '😀',
  'code points': 1,
  'UTF-16 units': 2,
  encoded: 12,
};

/** Values of a parameter at its bound and beyond it; null: it is no text, list or file, or has few values. */
export function largestValues(parameter: DocumentedParameter, random: SeededRandom): BoundedValues | null {
  const { schema, isJson } = parameter;
  if (schema['x-max-items'] !== undefined) return listsInText(parameter, schema['x-max-items']);
  if (isJson) return largestJson(schema, random);
  if (schema.type !== 'string' || schema.enum !== undefined) return null;
  return largestTexts(parameter);
}

/** Whether the document shows how large the values of a parameter may be. */
export function hasKnownBound({ schema }: DocumentedParameter): boolean {
  const { type, maxLength, pattern } = schema;
  if (type !== 'string') return listsIn(schema, []).every(({ list }) => list.maxItems !== undefined);
  return [maxLength, pattern, schema['x-cut-at'], schema['x-max-items']].some((bound) => bound !== undefined);
}

function largestTexts(parameter: DocumentedParameter): BoundedValues {
  const { name, schema } = parameter;
  const { maxLength, pattern, 'x-length-unit': counted = 'code points', 'x-cut-at': cutAt } = schema;
  if (pattern !== undefined) return textsOfPattern(name, pattern);
  const unit = counted as 'code points' | 'UTF-16 units';
  const of = (length: number): HostileValue[] =>
    (isAscii(name) ? [letters] : [letters, emoji]).map((kind) => {
      // What is around a text takes the place of the letters at its end.
      const count = Math.floor((length - Math.min(MAX_AROUND, length / 2)) / kind[unit]);
      const filling = kind.text.repeat(count) + 'x'.repeat(length - count * kind[unit]);
      return { what: `${length} ${unit} of ${kind.name}`, text: () => rightText(name, filling) };
    });
  if (maxLength !== undefined) return { largest: of(maxLength), larger: of(maxLength + 1) };
  const filling = [letters, emoji].map((kind) => ({
    what: `as many ${kind.name} as a request holds`,
    text: () => kind.text.repeat(Math.floor((MAX_BODY_BYTES - OTHERS) / kind.encoded)),
  }));
  const cut = cutAt === undefined ? [] : [...of(cutAt), ...of(cutAt + 1)];
  const larger = { what: 'more than a request holds', text: () => 'x'.repeat(MAX_BODY_BYTES + 1) };
  return { largest: [...cut, ...filling], larger: [larger] };
}

/** Texts as long as the quantifiers of an expression allow, such as `^[a-z]{1,255}$`. */
function textsOfPattern(name: string, pattern: string): BoundedValues {
  const [, max] = /\{1,(\d+)\}\$$/.exec(pattern) ?? [];
  const largest =
    max === undefined ? '0'.repeat(8) + '-0000'.repeat(3) + `-${'0'.repeat(12)}` : 'x'.repeat(Number(max));
  if (!new RegExp(pattern).test(largest)) throw new Error(`${name} has a pattern of an unknown form`);
  return {
    largest: [{ what: `${largest.length} characters`, text: () => largest }],
    larger: [{ what: `${largest.length + 1} characters`, text: () => `${largest}0` }],
  };
}

function listsInText({ name }: DocumentedParameter, max: number): BoundedValues {
  const of = (count: number): HostileValue[] => [
    { what: `${count} items`, text: () => rightListText(name, count) },
  ];
  return { largest: of(max), larger: of(max + 1) };
}

/** A list in a JSON value: how to make the whole value, given the list. */
interface InnerList {
  readonly list: Schema;
  readonly within: (items: readonly unknown[]) => unknown;
  readonly place: string;
}

type Step = readonly [place: string, wrap: (inner: unknown) => unknown];

/** The lists in values of a schema, also those inside of others. */
function listsIn(schema: Schema, steps: readonly Step[]): InnerList[] {
  const within = (inner: unknown): unknown => steps.reduceRight((value, [, wrap]) => wrap(value), inner);
  const place = steps.map(([name]) => name).join('');
  const alternatives = (schema.anyOf ?? []).flatMap((one) => listsIn(one, steps));
  const inObject = Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    listsIn(one, [...steps, [`.${name}`, (inner) => ({ ...requiredOf(schema), [name]: inner })]]),
  );
  const inItems =
    schema.items === undefined ? [] : listsIn(schema.items, [...steps, ['[]', (inner) => [inner]]]);
  const own = schema.type === 'array' && schema.items !== undefined ? [{ list: schema, within, place }] : [];
  return [...own, ...alternatives, ...inObject, ...inItems];
}

/** The required members of an object, each with a small value. */
function requiredOf({ properties = {}, required }: Schema): Record<string, unknown> {
  // Of a parameter that is an object, the document shows only whether the parameter is required.
  const names = Array.isArray(required) ? (required as readonly string[]) : Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, smallest(properties[name] ?? {})]));
}

function smallest(schema: Schema): unknown {
  const { type, anyOf, enum: choices } = schema;
  if (choices !== undefined) return choices[choices.length - 1];
  if (anyOf !== undefined) return smallest(anyOf[0] ?? {});
  if (type === 'object') return requiredOf(schema);
  return type === 'array' ? [] : type === 'string' ? 'x' : type === 'boolean' ? true : 1;
}

function largestJson(schema: Schema, random: SeededRandom): BoundedValues | null {
  const { maxProperties, maxItems } = schema;
  if (schema.type === 'object' && maxItems === undefined && maxProperties !== undefined)
    return ofCounts(maxProperties, 'fields', fieldsOf);
  const lists = listsIn(schema, []);
  if (lists.length === 0) return null;
  const each = lists.map(({ list, within, place }) => {
    const make = (count: number): unknown =>
      within(numbersTo(count).map((n) => itemOf(list.items ?? {}, n, random)));
    return ofCounts(Math.min(list.maxItems ?? 0, manyFitting(make)), `items${place && ` in ${place}`}`, make);
  });
  return { largest: each.flatMap((one) => one.largest), larger: each.flatMap((one) => one.larger) };
}

function ofCounts(max: number, unit: string, make: (count: number) => unknown): BoundedValues {
  const of = (count: number): HostileValue[] => [
    { what: `${count} ${unit}`, text: () => JSON.stringify(make(count)) },
  ];
  return { largest: of(max), larger: of(max + 1) };
}

/** As many items as the budget of values in JSON allows. */
function manyFitting(make: (count: number) => unknown): number {
  const [one, two] = [1, 2].map((count) => JSON.stringify(make(count)).match(/[,:]/g)?.length ?? 0);
  const each = two! - one!;
  return Math.floor((budgets.jsonValues.max - 1 - (one! - each)) / each);
}

function fieldsOf(count: number): object {
  return Object.fromEntries(numbersTo(count).map((number) => [`key ${number}`, 'x'.repeat(100)]));
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** An item of a list that is unlike the others. */
function itemOf(items: Schema, number: number, random: SeededRandom): unknown {
  if (items.anyOf !== undefined) return itemOf(items.anyOf[0] ?? {}, number, random);
  if (items.enum !== undefined) return items.enum.at(-1);
  if (items.type === 'string') return `x ${number}`;
  if (items.type === 'object') {
    const { properties = {}, required = Object.keys(properties) } = items;
    return Object.fromEntries(required.map((name) => [name, itemOf(properties[name] ?? {}, number, random)]));
  }
  return items.type === 'integer' ? number : sample(items, random);
}
