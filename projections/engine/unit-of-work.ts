import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Keyed, ModelStore } from '../../src/stores/read-store/port.js';
import { neverChanged, type ChangePoint, withoutEngineFields, type OrderedChange } from './engine-fields.js';
import type { BatchedHandler, Change, DocumentReference, LoadedDocuments } from './projection.js';

interface Entry {
  document: Keyed | null;
  /** The last change in the stored document. */
  seen: ChangePoint;
  /** Position of the last event in this batch that changed it; null: unchanged. */
  changedAt: number | null;
}

type ChangeOfOne = Exclude<Change, { readonly updateMany: unknown }>;

type Entries = Map<number | string, Entry>;

/**
 * The documents that a batch of events needs, loaded together. Each event sees the changes of earlier ones, and each changed document is
 * written once.
 */
export class UnitOfWork {
  private readonly collections = new Map<string, Entries>();
  private readonly references: readonly (readonly DocumentReference[])[];

  private constructor(events: readonly RecordedEvent[], handlers: readonly BatchedHandler[]) {
    this.references = handlers.map((handler, index) => handler.reads?.(events[index]!) ?? []);
  }

  /** Loads all documents that the events' handlers name, with one query per collection. */
  static async load(
    model: ModelStore,
    events: readonly RecordedEvent[],
    handlers: readonly BatchedHandler[],
  ): Promise<UnitOfWork> {
    const unit = new UnitOfWork(events, handlers);
    const wanted = idsByCollection(unit.references.flat());
    await Promise.all([...wanted].map(([collection, ids]) => unit.loadCollection(model, collection, ids)));
    return unit;
  }

  /** Applies the event at `index` of the batch. If its handler throws, none of its changes are kept. */
  apply(index: number, event: RecordedEvent, handler: BatchedHandler): void {
    const changes = handler.apply(event, this.documentsFor(index, event));
    if (!changes.every(isOfOneDocument)) {
      throw new Error(
        `The handler of ${event.type} changes documents by a filter, which only applyAlone may do`,
      );
    }
    for (const change of changes) this.change(change, event.position);
  }

  /** The changed documents in the order of their last change. */
  changes(): OrderedChange[] {
    const changes: OrderedChange[] = [];
    for (const [collection, entries] of this.collections) {
      for (const [id, { document, changedAt }] of entries) {
        if (changedAt === null) continue;
        const point = { position: changedAt, step: 0 };
        changes.push(
          document === null ? { remove: id, collection, point } : { put: document, collection, point },
        );
      }
    }
    return changes.sort((one, other) => one.point.position - other.point.position);
  }

  private async loadCollection(
    model: ModelStore,
    name: string,
    ids: ReadonlySet<number | string>,
  ): Promise<void> {
    const entries = this.entriesOf(name);
    for (const id of ids) entries.set(id, { document: null, seen: neverChanged, changedAt: null });
    for (const stored of await model.collection(name).find({ _id: { $in: [...ids] } })) {
      entries.set(stored._id, { ...withoutEngineFields(stored), changedAt: null });
    }
  }

  private documentsFor(index: number, event: RecordedEvent): LoadedDocuments {
    const named = idsByCollection(this.references[index]!);
    return {
      get: <D extends Keyed>(collection: string, id: number | string): D | null => {
        if (named.get(collection)?.has(id) !== true)
          throw new Error(`The handler of ${event.type} did not say that it reads ${collection} ${id}`);
        return (this.collections.get(collection)?.get(id)?.document ?? null) as D | null;
      },
    };
  }

  private change(change: ChangeOfOne, position: number): void {
    const document = 'put' in change ? change.put : null;
    const id = 'put' in change ? change.put._id : change.remove;
    const entries = this.entriesOf(change.collection);
    const entry = entries.get(id);
    if (entry === undefined) {
      entries.set(id, { document, seen: neverChanged, changedAt: position });
    } else if (entry.seen.position < position) {
      entry.document = document;
      entry.changedAt = position;
    }
  }

  private entriesOf(collection: string): Entries {
    const known = this.collections.get(collection);
    if (known !== undefined) return known;
    const entries: Entries = new Map();
    this.collections.set(collection, entries);
    return entries;
  }
}

function idsByCollection(
  references: readonly DocumentReference[],
): ReadonlyMap<string, ReadonlySet<number | string>> {
  const byCollection = new Map<string, Set<number | string>>();
  for (const { collection, id } of references) {
    const ids = byCollection.get(collection);
    if (ids) ids.add(id);
    else byCollection.set(collection, new Set([id]));
  }
  return byCollection;
}

function isOfOneDocument(change: Change): change is ChangeOfOne {
  return !('updateMany' in change);
}
