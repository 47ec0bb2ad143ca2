import type { EventDefinition } from '../kernel/event.js';

/** Every event type that the log may hold, by name. */
export class EventCatalog {
  private readonly byType: ReadonlyMap<string, EventDefinition>;

  /** @throws Error when two definitions share a name. */
  constructor(definitions: readonly EventDefinition[]) {
    const byType = new Map<string, EventDefinition>();
    for (const definition of definitions) {
      if (byType.has(definition.type)) throw new Error(`Two event definitions are named ${definition.type}`);
      byType.set(definition.type, definition);
    }
    this.byType = byType;
  }

  get definitions(): readonly EventDefinition[] {
    return [...this.byType.values()];
  }

  find(type: string): EventDefinition | undefined {
    return this.byType.get(type);
  }
}
