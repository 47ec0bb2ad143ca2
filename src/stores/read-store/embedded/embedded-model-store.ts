import { parseWrite } from '../language/writes.js';
import {
  FencedError,
  ModelRemovedError,
  UnsupportedQueryError,
  type Checkpoint,
  type Collection,
  type CollectionDefinition,
  type Keyed,
  type ModelBatch,
  type ModelStore,
} from '../port.js';
import { CollectionWriter } from './collection-writer.js';
import type { Connection } from './connection.js';
import { EmbeddedCollection } from './embedded-collection.js';
import type { InterruptibleReader } from './interruptible-reader.js';
import { prepareTables } from './model-tables.js';
import { DirectReader } from './row-reader.js';

/** Runs a synchronous task for an asynchronous port: thrown errors become rejections. */
export function promised<Result>(task: () => Result): Promise<Result> {
  return new Promise((resolve) => resolve(task()));
}

/** The model and version that a file contains. */
export interface ModelVersion {
  readonly name: string;
  readonly version: number;
}

/** The connections to a model's file. */
interface ModelConnections {
  readonly connection: Connection;
  /** Reads documents instead of the first connection; null: that one reads them too. */
  readonly interruptible: InterruptibleReader | null;
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
  private readonly connection: Connection;
  private readonly direct: DirectReader;
  private ownCommits = 0;

  private constructor(
    { name, version }: ModelVersion,
    private readonly connections: ModelConnections,
    definitions: readonly CollectionDefinition[],
  ) {
    this.name = name;
    this.version = version;
    const { connection, interruptible } = connections;
    this.connection = connection;
    this.direct = new DirectReader(connection);
    const schemas = prepareTables(connection, definitions);
    const reader = interruptible ?? this.direct;
    this.collections = new Map(
      [...schemas].map(([collection, schema]) => {
        return [
          collection,
          {
            reader: new EmbeddedCollection<Keyed>({ reader, schema }),
            writer: new CollectionWriter({ connection, schema }),
          },
        ];
      }),
    );
  }

  /** Prepares the tables if necessary. If that fails, the connection is closed. */
  static over(
    connections: ModelConnections,
    model: ModelVersion,
    definitions: readonly CollectionDefinition[],
  ): EmbeddedModelStore {
    try {
      return new EmbeddedModelStore(model, connections, definitions);
    } catch (error) {
      connections.interruptible?.close();
      connections.connection.close();
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
    return `${this.connection.foreignCommits()}/${this.ownCommits}`;
  }

  isRemoved(): boolean {
    return this.connection.isFileGone;
  }

  fence(fencingToken: number): Promise<Checkpoint> {
    return promised(() => {
      this.refuseIfRemoved();
      const [position] = this.connection.row(FENCE, [fencingToken]) ?? this.refuse(fencingToken);
      return { position: position as number | null };
    });
  }

  commit(batch: ModelBatch): Promise<void> {
    return this.direct.withLock(async () => {
      this.connection.transaction(() => this.write(batch));
      this.ownCommits += 1;
      // Checked after the write, so that a reported write is in the file where others look for it.
      this.refuseIfRemoved();
    });
  }

  close(): void {
    this.connections.interruptible?.close();
    this.connection.close();
  }

  private write({ writes, checkpoint: { position }, fencingToken }: ModelBatch): void {
    const { changes } = this.connection.run(ADVANCE, [position, fencingToken]);
    if (changes === 0) this.refuse(fencingToken);
    for (const { collection, write } of writes) this.opened(collection).writer.apply(parseWrite(write));
  }

  private refuseIfRemoved(): void {
    if (this.isRemoved()) throw new ModelRemovedError(this.name, this.version);
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
