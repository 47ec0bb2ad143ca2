import type { PersistedEvent } from './port.js';

/** An event to be written does not have the declared shape: a defect in the server's own code. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  /** @param reason names members without their values, which people may have written */
  constructor(
    readonly eventType: string,
    reason: string,
  ) {
    super(`${eventType} is not a valid event: ${reason}`);
  }
}

/** The log contains an event that this version of the server cannot read. */
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

/** An event was written, changed or moved by somebody without the server's key. It is not trusted, and no event after it is handled. */
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
