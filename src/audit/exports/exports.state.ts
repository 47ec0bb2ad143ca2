import { EXPORTS_STREAM, type ExportEvent, type ExportFault, type ExportType } from '../../events/exports.js';
import { budgets } from '../../kernel/budgets.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/decision.js';
import type { StoredFile } from '../../stores/file-store/encrypted-files.js';

/** An export, folded from its stream; times are in milliseconds since the UNIX epoch. */
export interface Export {
  readonly id: number;
  readonly type: ExportType;
  /** Who requested it. */
  readonly userId: number;
  readonly requestedAt: number;
  /** Id of the event that requested it. */
  readonly requestId: string;
  /** Position of that event. The export contains everything up to it. */
  readonly position: number;
  /** Number of attempts so far. */
  readonly attempts: number;
  /** The next attempt does not begin before this time. */
  readonly notBefore: number;
  /** Name of the last attempt's file in the file store, complete or not; null: there was no attempt. */
  readonly storageName: string | null;
  /** Null: it is not made yet, or its file was deleted. */
  readonly made: { readonly at: number; readonly file: StoredFile } | null;
  /** Null: it has not failed. */
  readonly failed: { readonly at: number; readonly fault: ExportFault } | null;
  /** Null: its file was not deleted. */
  readonly deletedAt: number | null;
}

/** The exports of the organization. */
export interface Exports {
  /** The newest exports, oldest first; at most `budgets.exportsListed`. */
  readonly known: readonly Export[];
  /** Number of the next export. */
  readonly nextId: number;
}

/** Milliseconds between the first two attempts; each later pause is five times as long as the one before. */
const FIRST_PAUSE = 5_000;

/** Folds the exports from their stream. */
export const exportsFold: Fold<Exports, RecordedEvent<ExportEvent>> = {
  initial: { known: [], nextId: 1 },
  evolve(exports, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'ExportRequested':
        return requested(exports, event);
      case 'ExportStarted': {
        const { exportId, storageName } = event.data;
        return changed(exports, exportId, (one) => {
          const attempts = one.attempts + 1;
          return { ...one, storageName, attempts, notBefore: at + FIRST_PAUSE * 5 ** (attempts - 1) };
        });
      }
      case 'ExportCompleted': {
        const { storageName: name, contentKey, size } = event.data.file;
        const made = { at, file: { name, contentKey, size } };
        return changed(exports, event.data.exportId, (one) => ({ ...one, made }));
      }
      case 'ExportFailed': {
        const failed = { at, fault: event.data.fault };
        return changed(exports, event.data.exportId, (one) => ({ ...one, failed }));
      }
      case 'ExportDeleted':
        return changed(exports, event.data.exportId, (one) => ({ ...one, deletedAt: at }));
      case 'ExportDownloaded':
        return exports;
      default:
        return unreachable(event);
    }
  },
};

export const foldedExports = stream(EXPORTS_STREAM, exportsFold);

/** The export with a number; null: it does not exist, or is too old to be listed. */
export function exportOf({ known }: Exports, exportId: number): Export | null {
  return known.find(({ id }) => id === exportId) ?? null;
}

/** Whether it is still to be made. */
export function isPending({ made, failed }: Export): boolean {
  return made === null && failed === null;
}

/** The export to be made next, one at a time; null: none is due. @param now milliseconds since the UNIX epoch */
export function nextPending({ known }: Exports, now: number): Export | null {
  return known.find((one) => isPending(one) && one.notBefore <= now) ?? null;
}

/** The exports that have expired. @param now milliseconds since the UNIX epoch */
export function expiredExports({ known }: Exports, now: number): readonly Export[] {
  const kept = budgets.exportDays.max * 86_400_000;
  return known.filter(({ made, deletedAt }) => made !== null && deletedAt === null && now >= made.at + kept);
}

function requested(
  { known }: Exports,
  event: Extract<RecordedEvent<ExportEvent>, { type: 'ExportRequested' }>,
): Exports {
  const { exportId: id, userId, exportType: type } = event.data;
  const fresh: Export = {
    id,
    type,
    userId,
    requestedAt: event.metadata.at,
    requestId: event.id,
    position: event.position,
    attempts: 0,
    notBefore: event.metadata.at,
    storageName: null,
    made: null,
    failed: null,
    deletedAt: null,
  };
  return { known: [...known, fresh].slice(-budgets.exportsListed.max), nextId: id + 1 };
}

function changed({ known, nextId }: Exports, exportId: number, change: (one: Export) => Export): Exports {
  return { known: known.map((one) => (one.id === exportId ? change(one) : one)), nextId };
}
