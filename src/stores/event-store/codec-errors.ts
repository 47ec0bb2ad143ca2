import type { PersistedEvent } from './port.js';

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
  override readonly name: string = 'UnreadableEventError';
  constructor(
    readonly eventId: string,
    readonly eventType: string,
    reason: string,
  ) {
    super(`Event ${eventId} (${eventType}) cannot be read: ${reason}`);
  }
}

/**
 * Somebody without the server's key wrote or changed an event, or put it where it does not belong: it is not believed, and
 * nothing that is read beyond it is acted on.
 */
export class UntaggedEventError extends UnreadableEventError {
  override readonly name: string = 'UntaggedEventError';
  constructor({ id, type, stream, revision, position }: PersistedEvent) {
    super(
      id,
      type,
      `${stream}@${revision} at position ${position} does not carry this server’s tag, so this server did not write it as it stands: run "palimpsest audit verify"`,
    );
  }
}
