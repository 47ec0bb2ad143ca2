import type { Actor } from '../../access/actor.js';
import { mayExportEverything, mayExportOrganization } from '../../access/people-permissions.js';
import { isOwner } from '../../access/records/roles.js';
import type { ExportEvent, ExportFault, ExportType } from '../../events/exports.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { StoredFile } from '../../stores/file-store/encrypted-files.js';
import { exportOf, isPending, type Export, type Exports } from './exports.state.js';

const MEBIBYTE = 1_048_576;
const WEEK = 7 * 86_400_000;

/** The size of the organization, which limits exports. */
interface OrganizationSize {
  /** Number of messages ever sent. */
  readonly messages: number;
  /** Total size of all uploads in bytes. */
  readonly uploadBytes: number;
}

/**
 * Checks that somebody may request and download exports of this type.
 *
 * @throws ApplicationError `administratorRequired`; `ownerRequired`, `fullExportNotAllowed` for an export of
 * everything
 */
export function assertMayExport(type: ExportType, { user, snapshot }: Actor): void {
  if (!mayExportOrganization(user)) throw failure('administratorRequired');
  if (type !== 'full_without_consent' || mayExportEverything(snapshot, user)) return;
  throw failure(isOwner(user) ? 'fullExportNotAllowed' : 'ownerRequired');
}

/** @throws ApplicationError those of {@link assertMayExport}, `tooManyExports`, `exportTooLarge` */
export function decideRequestExport(
  { known, nextId }: Exports,
  { type, size }: { readonly type: ExportType; readonly size: OrganizationSize },
  actor: Actor,
): readonly ExportEvent[] {
  assertMayExport(type, actor);
  const { user, snapshot } = actor;
  const lately = known.filter(({ requestedAt }) => requestedAt > snapshot.now - WEEK).length;
  if (lately >= budgets.exportsOfWeek.max)
    throw failure('tooManyExports', { reason: budgets.exportsOfWeek.max });
  if (size.messages > budgets.exportMessages.max) throw failure('exportTooLarge');
  // Which uploads the other types contain is only known once they are made.
  if (type === 'full_without_consent' && size.uploadBytes > budgets.exportMebibytes.max * MEBIBYTE)
    throw failure('exportTooLarge');
  return [{ type: 'ExportRequested', data: { exportId: nextId, userId: user.id, exportType: type } }];
}

/**
 * Begins an attempt at an export, or gives the export up after too many attempts.
 *
 * @param storageName name of the file in the file store
 * @returns no events for an export that is not pending any more
 */
export function decideStartExport(
  exports: Exports,
  { exportId, storageName }: { readonly exportId: number; readonly storageName: string },
): readonly ExportEvent[] {
  const found = exportOf(exports, exportId);
  if (found === null || !isPending(found)) return [];
  return found.attempts >= budgets.exportAttempts.max
    ? [{ type: 'ExportFailed', data: { exportId, fault: 'failed again and again' } }]
    : [{ type: 'ExportStarted', data: { exportId, storageName } }];
}

/** The result of an attempt. */
export interface MadeExport {
  /** Digest of the whole file, hexadecimal. */
  readonly sha256: string;
  /** Null: the export contains the whole log. */
  readonly messages: number | null;
  readonly missingFiles: number;
  readonly damagedEvents: number;
}

/** Records that an export was made; no events when another attempt has replaced this one. */
export function decideCompleteExport(
  exports: Exports,
  exportId: number,
  { made, file }: { readonly made: MadeExport; readonly file: StoredFile },
): readonly ExportEvent[] {
  const { name: storageName, contentKey, size } = file;
  if (!isAttempted(exports, exportId, storageName)) return [];
  return [{ type: 'ExportCompleted', data: { exportId, file: { storageName, contentKey, size }, ...made } }];
}

/** Records that an export cannot be made; no events when another attempt has replaced this one. */
export function decideFailExport(
  exports: Exports,
  { exportId, storageName }: { readonly exportId: number; readonly storageName: string },
  fault: ExportFault,
): readonly ExportEvent[] {
  return isAttempted(exports, exportId, storageName)
    ? [{ type: 'ExportFailed', data: { exportId, fault } }]
    : [];
}

/** @throws ApplicationError `administratorRequired`, and those of {@link madeExport} */
export function decideDeleteExport(
  exports: Exports,
  exportId: number,
  { user }: Actor,
): readonly ExportEvent[] {
  if (!mayExportOrganization(user)) throw failure('administratorRequired');
  return [deletionOf(exportId, { file: madeExport(exports, exportId).made.file, isExpired: false })];
}

/** Removes an export that has expired. Repeating it changes nothing. */
export function decideExpireExport(exports: Exports, exportId: number): readonly ExportEvent[] {
  const found = exportOf(exports, exportId);
  if (found?.made == null || found.deletedAt !== null) return [];
  return [deletionOf(exportId, { file: found.made.file, isExpired: true })];
}

/** @throws ApplicationError those of {@link assertMayExport} and {@link madeExport} */
export function decideDownloadExport(
  exports: Exports,
  exportId: number,
  actor: Actor,
): readonly ExportEvent[] {
  if (!mayExportOrganization(actor.user)) throw failure('administratorRequired');
  assertMayExport(madeExport(exports, exportId).type, actor);
  return [{ type: 'ExportDownloaded', data: { exportId } }];
}

/**
 * Returns an export and its file. @throws ApplicationError `noSuchExport`, `exportDeleted`, `exportFailed`,
 * `exportPending`
 */
export function madeExport(
  exports: Exports,
  exportId: number,
): Export & { readonly made: NonNullable<Export['made']> } {
  const found = exportOf(exports, exportId);
  if (found === null) throw failure('noSuchExport');
  if (found.deletedAt !== null) throw failure('exportDeleted');
  if (found.failed !== null) throw failure('exportFailed');
  const { made } = found;
  if (made === null) throw failure('exportPending');
  return { ...found, made };
}

function deletionOf(
  exportId: number,
  {
    file: { name: storageName, contentKey },
    isExpired,
  }: { readonly file: StoredFile; readonly isExpired: boolean },
): ExportEvent {
  return { type: 'ExportDeleted', data: { exportId, isExpired, file: { storageName, contentKey } } };
}

function isAttempted(exports: Exports, exportId: number, storageName: string): boolean {
  const found = exportOf(exports, exportId);
  return found !== null && isPending(found) && found.storageName === storageName;
}
