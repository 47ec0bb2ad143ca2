import type { Logger } from './logger.js';
import type { EventReference } from './poison-event.js';
import type { ProjectionProgress } from './progress.js';

/** The progress of a build. */
export interface BuildProgress {
  readonly projection: string;
  readonly version: number;
  /** Position of the last applied event; null: none. */
  readonly position: number | null;
  /** The number of events applied since it began or was resumed. */
  readonly events: number;
  /** Position of the last event that was in the model when it began or was resumed; null: none. */
  readonly from: number | null;
}

/** A build that is running in this process. */
export interface RunningBuild extends BuildProgress {
  /** When it began or was resumed, in milliseconds since the UNIX epoch. */
  readonly startedAt: number;
}

/** The task of a projector thread: keep the serving versions up to date, or build versions beside them. */
export type ProjectorTask =
  | { readonly kind: 'serve' }
  | {
      readonly kind: 'build';
      readonly projection: string;
      /** The stored version to build. */
      readonly version: number;
      /** Maximum number of events per second; null: unlimited. */
      readonly eventsPerSecond: number | null;
    };

/** Messages to a projector thread. */
export type ToProjector =
  | { readonly kind: 'stop' }
  /** Which version of a model serves may have changed. */
  | { readonly kind: 'refresh'; readonly projection: string }
  /** Cut over to a version that was built. */
  | { readonly kind: 'cut-over'; readonly projection: string; readonly version: number }
  /** Versions of models were dropped: close them. */
  | { readonly kind: 'release-dropped' }
  /** Retry a poison event now. */
  | { readonly kind: 'retry'; readonly projection: string };

/** Messages from a projector thread. */
export type FromProjector =
  | { readonly kind: 'progress'; readonly progress: readonly ProjectionProgress[] }
  /** Another version of a model serves now. */
  | { readonly kind: 'cut-over'; readonly projection: string }
  | { readonly kind: 'build-progress'; readonly progress: BuildProgress }
  /** `event`: the poison event, if there is one. */
  | {
      readonly kind: 'build-failed';
      readonly projection: string;
      readonly reason: string;
      readonly event: EventReference | null;
    }
  | { readonly kind: 'log'; readonly level: keyof Logger; readonly fields: object; readonly message: string };

/** The projector's side of the message channel. */
export interface ProjectorChannel {
  send(message: FromProjector): void;
  onMessage(listener: (message: ToProjector) => void): void;
}
