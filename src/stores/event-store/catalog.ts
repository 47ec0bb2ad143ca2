import { z } from 'zod';
import type { AnyEventDefinition } from '../../kernel/event.js';

/**
 * Refuses a definition whose schema accepts undeclared members (they would be stored unencrypted), or that does not describe plain JSON.
 *
 * @throws Error that names the event type
 */
function assertStrictSchema({ type, schema }: Pick<AnyEventDefinition, 'type' | 'schema'>): void {
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

/** All event types that the log may contain, by name. */
export class EventCatalog {
  private readonly byType: ReadonlyMap<string, AnyEventDefinition>;

  /**
   * @throws Error when two definitions have the same name, or when one has a schema that accepts unknown members, a member `sealed` beside
   *   erasable ones (the stored form uses the name), or a version without an upcast to the next
   */
  constructor(definitions: readonly AnyEventDefinition[]) {
    const byType = new Map<string, AnyEventDefinition>();
    for (const definition of definitions) {
      if (byType.has(definition.type)) throw new Error(`Two event definitions are named ${definition.type}`);
      assertSound(definition);
      byType.set(definition.type, definition);
    }
    this.byType = byType;
  }

  get definitions(): readonly AnyEventDefinition[] {
    return [...this.byType.values()];
  }

  find(type: string): AnyEventDefinition | undefined {
    return this.byType.get(type);
  }
}

function assertSound(definition: AnyEventDefinition): void {
  const { type, version, upcasts, erasable, example } = definition;
  assertStrictSchema(definition);
  for (let from = 1; from < version; from++) {
    if (upcasts[from] === undefined) throw new Error(`${type} has no upcast from version ${from}`);
  }
  if (erasable !== undefined && 'sealed' in (example as object)) {
    throw new Error(`${type} has erasable fields, so none of its fields may be named "sealed"`);
  }
}
