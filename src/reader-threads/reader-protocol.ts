import type { ErrorFields } from '../kernel/error-rows/error-row.js';
import type { ErrorName } from '../kernel/errors.js';
import type { ReadControl } from '../stores/read-store/port.js';

/** The kind of a task that does nothing but to make a thread ready. */
export const WARM_UP = 'warm up';

/** What a reader thread is to do. */
export interface ReaderTask {
  /** Rises from task to task. */
  readonly id: number;
  /** Names what is to be done. */
  readonly kind: string;
  /** What is done it with; can be cloned to the thread. */
  readonly input: unknown;
  /** Whether the reply to a request is wanted instead of the result. */
  readonly asReply: boolean;
  /** After so many milliseconds it is ended. */
  readonly milliseconds: number;
  /** The thread is to know the log at least as far as this position; null: as far as it does. */
  readonly position: number | null;
  readonly forgotten: Forgotten;
  /** Made by {@link TaskMarker.memory}. */
  readonly marker: SharedArrayBuffer;
}

/** How often threads were told to forget something, since the process started. */
export interface Forgotten {
  /** What messages say: something was erased. */
  readonly texts: number;
  /** What people and things are called: somebody was erased. */
  readonly names: number;
  /** Which versions of the read models serve. */
  readonly models: number;
}

/** What all threads of a pool are told, whatever they do. */
export type ReaderBroadcast =
  | { readonly type: 'cancel'; readonly task: number }
  | { readonly type: 'forget'; readonly forgotten: Forgotten };

/** What came of a task. */
export type ReaderOutcome =
  | {
      readonly type: 'done';
      readonly result: unknown;
      /** The body of the reply; null: the result was wanted. */
      readonly reply: Uint8Array<ArrayBuffer> | null;
    }
  | { readonly type: 'refused'; readonly refusal: SentRefusal }
  | { readonly type: 'late' };

/** An error of the table as it crosses between threads. */
export interface SentRefusal {
  readonly row: ErrorName;
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly fields: ErrorFields;
  /** Where in the thread something failed; null: somebody was refused. */
  readonly stack: string | null;
}

/** What does the tasks of one thread. */
export interface ReaderEnvironment {
  /**
   * Waits until it knows the log up to a position.
   *
   * @throws ApplicationError `unavailable` when it does not within a while
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

/** What the module of a {@link ReaderComposition} exports. */
export interface ReaderModule {
  readonly openReaderEnvironment: (
    configuration: unknown,
    control: ReadControl,
  ) => Promise<ReaderEnvironment>;
}

/** How a thread makes its {@link ReaderEnvironment}. */
export interface ReaderComposition {
  /** URL of a {@link ReaderModule}. */
  readonly module: string;
  /** Can be cloned to the thread. */
  readonly configuration: unknown;
}

/** What a reader thread is started with. */
export interface ReaderThreadData extends ReaderComposition {
  /** Name of the channel of {@link ReaderBroadcast}s. */
  readonly channel: string;
  /** Counters of the delays of its event loop: see {@link EventLoopDelays}. */
  readonly delays: SharedArrayBuffer;
}
