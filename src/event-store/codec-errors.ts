/** An event that was to be written does not have the shape that the catalog declares: a fault of the server's own code. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  /** @param reason names members, never their values: they may be what people wrote */
  constructor(
    readonly eventType: string,
    reason: string,
  ) {
    super(`${eventType} is not a valid event: ${reason}`);
  }
}

/** The log holds an event that this version of the server cannot read. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError';
  constructor(
    readonly eventId: string,
    readonly eventType: string,
    reason: string,
  ) {
    super(`Event ${eventId} (${eventType}) cannot be read: ${reason}`);
  }
}
