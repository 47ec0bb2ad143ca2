import { FencedError, UnsupportedQueryError } from '../port.js';
import type { Checkpoint, Collection, CollectionDefinition, Keyed, ModelBatch, ModelStore } from '../port.js';
import { parseWrite } from '../language/writes.js';
import { CollectionWriter } from './collection-writer.js';
import type { Connection } from './connection.js';
import { EmbeddedCollection } from './embedded-collection.js';
import { prepareTables } from './model-tables.js';
import { promised } from './promised.js';

/** Which version of which model a file holds. */
export interface ModelVersion {
  readonly name: string;
  readonly version: number;
}

interface OpenCollection {
  readonly reader: Collection<Keyed>;
  readonly writer: CollectionWriter;
}

const FENCE = 'UPDATE _checkpoint SET fencing_token = ?1 WHERE fencing_token <= ?1 RETURNING position';

const ADVANCE = 'UPDATE _checkpoint SET position = ?1, fencing_token = ?2 WHERE fencing_token <= ?2';

/** One version of one model, in a SQLite file of its own. */
export class EmbeddedModelStore implements ModelStore {
  readonly name: string;
  readonly version: number;
  private readonly collections: ReadonlyMap<string, OpenCollection>;
  private ownCommits = 0;

  private constructor(
    { name, version }: ModelVersion,
    private readonly connection: Connection,
    definitions: readonly CollectionDefinition[],
  ) {
    this.name = name;
    this.version = version;
    const schemas = prepareTables(connection, definitions);
    this.collections = new Map(
      [...schemas].map(([collection, schema]) => {
        const tables = { connection, schema };
        return [
          collection,
          { reader: new EmbeddedCollection<Keyed>(tables), writer: new CollectionWriter(tables) },
        ];
      }),
    );
  }

  /** Prepares its tables where they are missing. The connection is closed where that fails. */
  static over(
    connection: Connection,
    model: ModelVersion,
    definitions: readonly CollectionDefinition[],
  ): EmbeddedModelStore {
    try {
      return new EmbeddedModelStore(model, connection, definitions);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    return this.opened(name).reader as Collection<D>;
  }

  checkpoint(): Promise<Checkpoint> {
    return promised(() => {
      const [position = null] = this.connection.row('SELECT position FROM _checkpoint', []) ?? [];
      return { position: position as number | null };
    });
  }

  state(): string {
    return `${this.connection.othersCommits()}/${this.ownCommits}`;
  }

  fence(fencingToken: number): Promise<Checkpoint> {
    return promised(() => {
      const [position] = this.connection.row(FENCE, [fencingToken]) ?? this.refuse(fencingToken);
      return { position: position as number | null };
    });
  }

  commit(batch: ModelBatch): Promise<void> {
    return promised(() => {
      this.connection.transaction(() => this.write(batch));
      this.ownCommits += 1;
    });
  }

  close(): void {
    this.connection.close();
  }

  private write({ writes, checkpoint: { position }, fencingToken }: ModelBatch): void {
    const { changes } = this.connection.run(ADVANCE, [position, fencingToken]);
    if (changes === 0) this.refuse(fencingToken);
    for (const { collection, write } of writes) this.opened(collection).writer.apply(parseWrite(write));
  }

  private refuse(fencingToken: number): never {
    throw new FencedError(`Another writer has taken ${this.name} over from token ${fencingToken}`);
  }

  private opened(name: string): OpenCollection {
    const collection = this.collections.get(name);
    if (collection) return collection;
    throw new UnsupportedQueryError(`The model ${this.name} declares no collection ${name}`);
  }
}
