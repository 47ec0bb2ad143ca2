import type { Logger } from './logger.js';
import type { ProjectionProgress } from './progress.js';

/** What a projector thread is for: to keep what serves up with the log, or to build models beside it. */
export type ProjectorTask =
  | { readonly kind: 'serve' }
  | {
      readonly kind: 'build';
      readonly projections: readonly string[];
      /** Whether to build from nothing although this code's version serves. */
      readonly again: boolean;
    };

/** What a projector thread is told. */
export type ToProjector =
  | { readonly kind: 'stop' }
  /** Which version of a model serves may have changed. */
  | { readonly kind: 'refresh'; readonly projection: string }
  /** A poison event is to be tried again now. */
  | { readonly kind: 'retry'; readonly projection: string };

/** What a projector thread tells. */
export type FromProjector =
  | { readonly kind: 'progress'; readonly progress: readonly ProjectionProgress[] }
  /** Another version of a model serves now. */
  | { readonly kind: 'switched'; readonly projection: string }
  | { readonly kind: 'build-failed'; readonly projection: string; readonly reason: string }
  | { readonly kind: 'log'; readonly level: keyof Logger; readonly fields: object; readonly message: string };

/** The projector's end of the line. */
export interface ProjectorChannel {
  send(message: FromProjector): void;
  onMessage(listener: (message: ToProjector) => void): void;
}
