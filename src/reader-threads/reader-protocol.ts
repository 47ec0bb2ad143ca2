import type { ErrorFields } from '../kernel/error-rows/error-row.js';
import type { ErrorName } from '../kernel/errors.js';
import type { ReadControl } from '../stores/read-store/port.js';

/** The kind of a task that does nothing except load a thread. */
export const WARM_UP = 'warm up';

/** A task as it is sent to a thread. */
export interface ReaderTask {
  /** Increases with each task. */
  readonly id: number;
  /** Selects the query's handler. */
  readonly kind: string;
  /** Must be structured-cloneable. */
  readonly input: unknown;
  /** Whether the body of the HTTP reply is wanted instead of the result. */
  readonly asReply: boolean;
  /** The task's timeout. */
  readonly milliseconds: number;
  /** The position of the log that the thread must have reached first; null: any. */
  readonly position: number | null;
  readonly forgotten: CacheVersions;
  /** Made by {@link TaskMarker.memory}. */
  readonly marker: SharedArrayBuffer;
}

/** How often the threads' caches were cleared since the process started. */
export interface CacheVersions {
  /** Texts of messages, because some were erased. */
  readonly texts: number;
  /** Names, because a person was erased. */
  readonly names: number;
  /** The versions of the read models that serve. */
  readonly models: number;
}

/** A message to all threads of a pool. */
export type ReaderBroadcast =
  | { readonly type: 'cancel'; readonly task: number }
  | { readonly type: 'forget'; readonly forgotten: CacheVersions };

/** The outcome of a task. */
export type ReaderOutcome =
  | {
      readonly type: 'done';
      readonly result: unknown;
      /** The body of the HTTP reply; null: the result was wanted. */
      readonly reply: Uint8Array<ArrayBuffer> | null;
    }
  | { readonly type: 'refused'; readonly refusal: SentRefusal }
  | { readonly type: 'late' };

/** An error of the error table, serialized for another thread. */
export interface SentRefusal {
  readonly row: ErrorName;
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly fields: ErrorFields;
  /** The stack trace of an unexpected error; null: the error is a refusal. */
  readonly stack: string | null;
}

/** Runs the tasks of one thread. */
export interface ReaderEnvironment {
  /**
   * Waits until the directory of the thread has reached a position of the log.
   *
   * @throws ApplicationError `unavailable` when that takes too long
   */
  catchUp(position: number): Promise<void>;
  perform(task: Pick<ReaderTask, 'kind' | 'input' | 'asReply'>): Promise<{
    readonly result: unknown;
    readonly reply: Uint8Array<ArrayBuffer> | null;
  }>;
  forgetTexts(): void;
  forgetNames(): void;
  forgetModels(): void;
}

/** The exports of the module of a {@link ReaderComposition}. */
export interface ReaderModule {
  readonly openReaderEnvironment: (
    configuration: unknown,
    control: ReadControl,
  ) => Promise<ReaderEnvironment>;
}

/** How a thread creates its {@link ReaderEnvironment}. */
export interface ReaderComposition {
  /** URL of a {@link ReaderModule}. */
  readonly module: string;
  /** Must be structured-cloneable. */
  readonly configuration: unknown;
}

/** The `workerData` of a reader thread. */
export interface ReaderThreadData extends ReaderComposition {
  /** Name of the channel of {@link ReaderBroadcast}s. */
  readonly channel: string;
  /** Counters of its event loop's delays: see {@link EventLoopDelays}. */
  readonly delays: SharedArrayBuffer;
}
