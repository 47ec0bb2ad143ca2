/** The source of the current time. Deciders never call it: handlers read it once and pass the value in. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number;
}

/** Whole seconds since the UNIX epoch, as the API gives every timestamp. */
export function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
