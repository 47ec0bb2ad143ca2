/** The event because of which something is erased. */
export interface Cause {
  readonly id: string;
  /** Of it in the log. */
  readonly position: number;
}
