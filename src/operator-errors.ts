import { BuildFailedError, NoEarlierVersionError } from '../projections/engine/model-builds.js';
import { NewerModelError, UnknownProjectionError } from '../projections/engine/model-versions.js';
import { OtherLogError } from './audit/sealing/make-statement.js';
import { SigningKeyError } from './audit/sealing/signing-key.js';
import { ImportRefusedError } from './audit/transfer/import-log.js';
import { BackupRefusedError } from './operations/backup/manifest.js';
import { CommandFailedError, MisusedError } from './cli/command.js';
import { ConfigurationError } from './config.js';
import { CredentialStoreUnavailableError } from './credential-store/port.js';
import { DataDirectoryInUseError } from './data-directory-lock.js';
import { NewerSchemaError } from './event-store/embedded/schema.js';
import { EventStoreUnavailableError } from './event-store/port.js';
import { KeyUnwrapError } from './key-store/key-wrapping.js';
import { KeyStoreUnavailableError } from './key-store/port.js';
import { ServerKeyError } from './key-store/server-key.js';
import { OperationRefusedError } from './operations/projection-operations.js';
import { NotVerifiableError } from './operations/verify-projection.js';
import { NoOwnerError } from './organization/owner-key.js';
import { ReadStoreUnavailableError } from './read-store/port.js';
import { NoLogError } from './stores.js';

/** Faults that an operator can mend. */
const operatorErrors = [
  CommandFailedError,
  MisusedError,
  ConfigurationError,
  DataDirectoryInUseError,
  NoOwnerError,
  NoLogError,
  NotVerifiableError,
  OperationRefusedError,
  BuildFailedError,
  NoEarlierVersionError,
  UnknownProjectionError,
  OtherLogError,
  ImportRefusedError,
  BackupRefusedError,
  SigningKeyError,
  ServerKeyError,
  KeyUnwrapError,
  NewerSchemaError,
  NewerModelError,
  EventStoreUnavailableError,
  ReadStoreUnavailableError,
  KeyStoreUnavailableError,
  CredentialStoreUnavailableError,
];

/** What to tell an operator of a failed start: a sentence where they can mend it, else all that is known. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isAboutRoom(error)) return 'The disk of DATA_DIR is full: make room on it, and start again';
  if (!operatorErrors.some((type) => error instanceof type)) return error.stack ?? error.message;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Any file may be the one that finds no room, so whoever opened it does not matter. */
function isAboutRoom(error: Error): boolean {
  const { code, cause } = error as Error & { readonly code?: unknown };
  return code === 'SQLITE_FULL' || code === 'ENOSPC' || (cause instanceof Error && isAboutRoom(cause));
}
