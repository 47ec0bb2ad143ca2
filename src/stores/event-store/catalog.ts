import type { AnyEventDefinition } from '../../kernel/event.js';

/** All event types that the log may contain, by name. */
export class EventCatalog {
  private readonly byType: ReadonlyMap<string, AnyEventDefinition>;

  /**
   * That schemas are strict is tested (`strict-schema.spec.ts`): to look into each takes a start longer than to load it.
   *
   * @throws Error when two definitions have the same name, or when one has a member `sealed` beside erasable ones (the stored form uses the
   *   name), or a version without an upcast to the next
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
  for (let from = 1; from < version; from++) {
    if (upcasts[from] === undefined) throw new Error(`${type} has no upcast from version ${from}`);
  }
  if (erasable !== undefined && 'sealed' in (example as object)) {
    throw new Error(`${type} has erasable fields, so none of its fields may be named "sealed"`);
  }
}
