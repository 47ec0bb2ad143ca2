/** Events that read models must apply. */
export interface ModelWrite {
  readonly position: number;
  /** The types of its events. */
  readonly types: readonly string[];
}

/** The read models: the serving versions, the others, and their files. */
export interface ErasableModels {
  /**
   * Waits until the serving versions have applied an event: until then they still hold what it deleted.
   *
   * @throws ModelBehindError when that takes too long
   */
  pass(write: ModelWrite): Promise<void>;
  /**
   * Removes the versions that do not serve and would keep what was erased. One that is being built stays and goes on: it applies the same
   * deletions before it serves.
   */
  dropFormerVersions(): Promise<void>;
  /** Rebuilds every model from the log. */
  rebuildAll(): Promise<void>;
  /** Overwrites deleted data in the files of the models. */
  scrub(): Promise<void>;
}
