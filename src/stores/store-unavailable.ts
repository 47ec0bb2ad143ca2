import { CredentialStoreUnavailableError } from './credential-store/port.js';
import { EventStoreUnavailableError } from './event-store/port.js';
import { FileStoreUnavailableError } from './file-store/port.js';
import { KeyStoreUnavailableError } from './key-store/port.js';
import { QueueStoreUnavailableError } from './queue-store/port.js';
import { ReadStoreUnavailableError } from './read-store/port.js';

const kinds = [
  CredentialStoreUnavailableError,
  EventStoreUnavailableError,
  FileStoreUnavailableError,
  KeyStoreUnavailableError,
  QueueStoreUnavailableError,
  ReadStoreUnavailableError,
];

/** Whether a store could not be used, so that the same may succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  return kinds.some((kind) => error instanceof kind);
}
