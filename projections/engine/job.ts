/** Something that must happen at a certain time: the job periodically looks for what is due. */
export interface Job {
  /** In kebab case, unique among jobs. The name of the lease contains it. */
  readonly name: string;
  /** The interval between two runs. */
  readonly everyMilliseconds: number;
  /** Whether due work waits while the organization is deactivated; absent: it does not. */
  readonly waitsWhileClosed?: boolean;
  /**
   * Does what is due. It may be repeated after a crash, or when another process takes over, so it must decide by the streams, which record
   * what was done, and never by its own memory.
   */
  perform(this: void): Promise<void>;
}
