/** The event that causes an erasure. */
export interface Cause {
  readonly id: string;
  /** Position of the event in the log. */
  readonly position: number;
}
