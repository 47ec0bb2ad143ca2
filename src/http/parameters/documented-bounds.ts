import { getMetadataStorage } from 'class-validator';

/**
 * The bounds of a value that its handler checks, for the documentation page. Bounds that class-validator or a schema
 * checks are documented without being repeated here.
 */
export interface DocumentedBounds {
  /** Maximum number of code points of a text. A longer text is refused. */
  readonly maxLength?: number;
  /** Whether `maxLength` counts UTF-16 units instead. Default: false. */
  readonly countsUtf16?: boolean;
  /** Number of code points that a longer text is cut to. */
  readonly cutAt?: number;
  /** Maximum length of each list in the value. A longer list is refused. */
  readonly maxItems?: number;
  /** Maximum number of fields of an object. An object with more is refused. */
  readonly maxProperties?: number;
}

/** The bounds of a text, or of the JSON in it, as members of its schema in the OpenAPI document. */
export function shownBounds({ maxLength, countsUtf16, cutAt, maxItems }: DocumentedBounds): object {
  return {
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(countsUtf16 === true ? { 'x-length-unit': 'UTF-16 units' } : {}),
    ...(cutAt === undefined ? {} : { 'x-cut-at': cutAt }),
    ...(maxItems === undefined ? {} : { 'x-max-items': maxItems }),
  };
}

/** The bounds that class-validator checks, by the names of its decorators, as members of a schema. */
const shownChecks: Readonly<Record<string, (constraint: unknown) => object>> = {
  maxLength: (maxLength) => ({ maxLength }),
  arrayMaxSize: (maxItems) => ({ maxItems }),
  isIn: (values) => ({ enum: values }),
  matches: (pattern) => ({ pattern: (pattern as RegExp).source }),
};

/** The bounds of a parameter that class-validator checks, as members of its schema. */
export function checkedBounds(type: object, property: string): object {
  const checks = getMetadataStorage()
    .getTargetValidationMetadatas(type as () => void, '', false, false)
    .filter(({ propertyName }) => propertyName === property);
  return Object.assign(
    {},
    ...checks.map(({ name = '', constraints }) => shownChecks[name]?.(constraints?.[0] as unknown) ?? {}),
  ) as object;
}

/** A JSON schema with the bounds of the value, and of each list in it. */
export function boundedSchema(schema: object, { maxItems, maxProperties }: DocumentedBounds): object {
  return {
    ...(maxItems === undefined ? schema : withMaxItems(schema, maxItems)),
    ...(maxProperties === undefined ? {} : { maxProperties }),
  };
}

function withMaxItems(schema: object, maxItems: number): object {
  const members = Object.entries(schema).map(([name, value]: [string, unknown]) => [
    name,
    boundedMember(value, maxItems),
  ]);
  const bounded = Object.fromEntries(members) as { readonly type?: unknown; readonly maxItems?: number };
  if (bounded.type !== 'array') return bounded;
  return { ...bounded, maxItems: Math.min(maxItems, bounded.maxItems ?? Infinity) };
}

function boundedMember(value: unknown, maxItems: number): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => boundedMember(one, maxItems));
  return typeof value === 'object' && value !== null ? withMaxItems(value, maxItems) : value;
}
