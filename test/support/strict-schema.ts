import { z } from 'zod';
import type { AnyEventDefinition } from '../../src/kernel/event.js';

/**
 * Refuses a definition whose schema accepts undeclared members (they would be stored unencrypted), or that does not describe plain JSON.
 *
 * @throws Error that names the event type
 */
export function assertStrictSchema({ type, schema }: Pick<AnyEventDefinition, 'type' | 'schema'>): void {
  let shape: unknown;
  try {
    shape = z.toJSONSchema(schema, { io: 'input' });
  } catch (error) {
    throw new Error(`The schema of ${type} does not describe plain JSON`, { cause: error });
  }
  if (hasLooseObject(shape))
    throw new Error(`The schema of ${type} accepts unknown members: use z.strictObject`);
}

/** Keywords of JSON Schema whose values are not schemas. */
const valueKeywords = new Set(['const', 'default', 'enum', 'examples']);

function hasLooseObject(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (Array.isArray(schema)) return schema.some(hasLooseObject);
  const { properties, ...keywords } = schema as Readonly<Record<string, unknown>>;
  if (properties !== undefined) {
    if (keywords['additionalProperties'] !== false) return true;
    if (Object.values(properties as object).some(hasLooseObject)) return true;
  }
  return Object.entries(keywords).some(
    ([keyword, value]) => !valueKeywords.has(keyword) && hasLooseObject(value),
  );
}
