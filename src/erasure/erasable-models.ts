/** What read models are to take note of. */
export interface ModelWrite {
  readonly position: number;
  /** The types of its events. */
  readonly types: readonly string[];
}

/** The read models: those that serve, what is kept beside them, and their files. */
export interface ErasableModels {
  /**
   * Waits until those that serve have passed a write: until then they hold what it deleted.
   *
   * @throws Error when that takes too long
   */
  pass(write: ModelWrite): Promise<void>;
  /** Removes the versions of every model that do not serve: they go on holding what was erased. */
  dropOthers(): Promise<void>;
  /** Rebuilds every model from the log. */
  rebuildAll(): Promise<void>;
  /** Overwrites what was deleted in the files of the models. */
  scrub(): Promise<void>;
}
