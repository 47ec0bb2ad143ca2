/** The progress of a rebuild. */
export interface RebuildProgress {
  readonly projection: string;
  /** Events applied so far. */
  readonly events: number;
  readonly position: number | null;
  /** Position of the log's last event. */
  readonly head: number | null;
}

/** The rebuilds that are running. */
export interface RebuildsUnderWay {
  readonly builds: readonly Omit<RebuildProgress, 'head'>[];
  /** The number of read models. */
  readonly models: number;
  /** Position of the log's last event. */
  readonly head: number | null;
}

/** A model to rebuild. */
export interface RebuildRequest {
  readonly projection: string;
  /** The most events a second; null: no limit. */
  readonly eventsPerSecond: number | null;
  /** Position of the log's last event. */
  readonly head: number | null;
}
