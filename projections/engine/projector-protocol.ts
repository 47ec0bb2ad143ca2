import type { Logger } from './logger.js';
import type { EventReference } from './poison-event.js';
import type { ProjectionProgress } from './progress.js';

/** How far a build has come. */
export interface BuildProgress {
  readonly projection: string;
  readonly version: number;
  /** Everything up to here is in it. */
  readonly position: number | null;
  /** How many events were applied since it began, or went on. */
  readonly events: number;
}

/** What a projector thread is for: to keep what serves up with the log, or to build models beside it. */
export type ProjectorTask =
  | { readonly kind: 'serve' }
  | {
      readonly kind: 'build';
      readonly projection: string;
      /** The stored version that is to be brought up to the present. */
      readonly version: number;
      /** The most events that are applied in a second; null: as many as can be. */
      readonly eventsPerSecond: number | null;
    };

/** What a projector thread is told. */
export type ToProjector =
  | { readonly kind: 'stop' }
  /** Which version of a model serves may have changed. */
  | { readonly kind: 'refresh'; readonly projection: string }
  /** A version was built, and is to serve. */
  | { readonly kind: 'hand-over'; readonly projection: string; readonly version: number }
  /** Versions of models were dropped: what is open of them is to be let go of. */
  | { readonly kind: 'release-dropped' }
  /** A poison event is to be tried again now. */
  | { readonly kind: 'retry'; readonly projection: string };

/** What a projector thread tells. */
export type FromProjector =
  | { readonly kind: 'progress'; readonly progress: readonly ProjectionProgress[] }
  /** Another version of a model serves now. */
  | { readonly kind: 'switched'; readonly projection: string }
  | { readonly kind: 'build-progress'; readonly progress: BuildProgress }
  /** `event`: the one that could not be applied, if it was one. */
  | {
      readonly kind: 'build-failed';
      readonly projection: string;
      readonly reason: string;
      readonly event: EventReference | null;
    }
  | { readonly kind: 'log'; readonly level: keyof Logger; readonly fields: object; readonly message: string };

/** The projector's end of the line. */
export interface ProjectorChannel {
  send(message: FromProjector): void;
  onMessage(listener: (message: ToProjector) => void): void;
}
