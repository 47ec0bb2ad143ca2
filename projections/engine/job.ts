/** Something that must happen because of the time: what has come due is looked for again and again. */
export interface Job {
  /** Kebab-case, unique among jobs; names the lease. */
  readonly name: string;
  /** How long to wait between two looks. */
  readonly everyMilliseconds: number;
  /** Whether what has come due waits while the organization is deactivated; absent: it does not. */
  readonly waitsWhileClosed?: boolean;
  /**
   * Does what has come due. May be called any number of times, after a crash or when another process takes over: so it
   * decides on the streams, which know what was done, and never on what it remembers.
   */
  perform(this: void): Promise<void>;
}
