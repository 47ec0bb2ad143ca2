import { readFileSync } from 'node:fs';

/**
 * What a decoder needs of a value: the kind of a plain value, with `?` if it may be null or missing; `#Name` of another demand in the
 * table; a list with the demand of each item; an object with the demands of its members, where `*` stands for all members and `+` names a
 * demand that it extends.
 */
export type Demand = string | readonly Demand[] | { readonly [member: string]: Demand };

/** What existing clients decode, by reply and by event. */
const table = JSON.parse(readFileSync('test/fixtures/decoder-demands.json', 'utf8')) as Readonly<
  Record<string, Demand>
>;

/** A row of the table, by its path of names and keys. */
export function demandOf(...place: readonly string[]): Demand | undefined {
  return place.reduce<Demand | undefined>(
    (demand, name) => (demand as Readonly<Record<string, Demand>> | undefined)?.[name],
    table,
  );
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  address: (value) => typeof value === 'string' && URL.canParse(value),
  color: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value),
};

/** How a value differs from what a decoder needs: one sentence per difference. */
export function unmetDemands(demand: Demand, value: unknown, place = ''): readonly string[] {
  if (typeof demand === 'string') return unmetKind(demand, value, place);
  if (isList(demand)) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    const [item = 'string?'] = demand;
    return value.flatMap((one, index) => unmetDemands(item, one, `${place}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [`${place} is no object`];
  const members = value as Readonly<Record<string, unknown>>;
  return Object.entries(demand).flatMap(([name, needed]) => {
    if (name === '+') return unmetDemands(needed, value, place);
    if (name !== '*') return unmetDemands(needed, members[name], `${place}.${name}`);
    return Object.entries(members).flatMap(([key, one]) => unmetDemands(needed, one, `${place}.${key}`));
  });
}

function unmetKind(demand: string, value: unknown, place: string): readonly string[] {
  if (demand.startsWith('#')) {
    const named = demandOf(demand.slice(1));
    if (named === undefined) throw new Error(`There is no demand ${demand}`);
    return unmetDemands(named, value, place);
  }
  const kind = demand.replace('?', '');
  if (demand.endsWith('?') && (value === null || value === undefined)) return [];
  const test = kinds[kind];
  if (test === undefined) throw new Error(`There is no kind ${kind}`);
  return test(value) ? [] : [`${place} is no ${kind}: ${JSON.stringify(value)}`];
}

function isList(demand: Demand): demand is readonly Demand[] {
  return Array.isArray(demand);
}
