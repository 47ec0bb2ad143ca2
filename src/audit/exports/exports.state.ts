import { exportsStream, type ExportEvent, type ExportFault, type ExportType } from '../../events/exports.js';
import { budgets } from '../../kernel/budgets.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/stream.js';
import type { StoredFile } from '../../stores/file-store/encrypted-files.js';

/** An export as its stream tells; times are in milliseconds since the UNIX epoch. */
export interface Export {
  readonly id: number;
  readonly type: ExportType;
  /** Who asked for it, and when. */
  readonly userId: number;
  readonly requestedAt: number;
  /** Id of the event by which it was asked for. */
  readonly requestId: string;
  /** Position of that event: what was there by then is exported. */
  readonly position: number;
  /** How often it was begun. */
  readonly attempts: number;
  /** It is not begun (again) before. */
  readonly notBefore: number;
  /** Where the file of the last attempt lies, or what there is of it; null: it was not begun. */
  readonly storageName: string | null;
  /** Null: it is not made, or not any more. */
  readonly made: { readonly at: number; readonly file: StoredFile } | null;
  /** Null: it did not fail. */
  readonly failed: { readonly at: number; readonly fault: ExportFault } | null;
  /** Null: it was not. */
  readonly deletedAt: number | null;
}

/** The exports of the organization. */
export interface Exports {
  /** The newest, oldest first: so many as `budgets.exportsListed` allows. */
  readonly known: readonly Export[];
  /** Number of the next one. */
  readonly nextId: number;
}

/** Milliseconds from the first attempt to the second; those to each later one are five times as long. */
const FIRST_PAUSE = 5_000;

/** How the exports follow from their stream. */
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

/** The stream of exports, for decisions about them. */
export const foldedExports = stream(exportsStream, exportsFold);

/** One of them; null: there is none of that number, or it is forgotten. */
export function exportOf({ known }: Exports, exportId: number): Export | null {
  return known.find(({ id }) => id === exportId) ?? null;
}

/** Whether it is yet to be made. */
export function isPending({ made, failed }: Export): boolean {
  return made === null && failed === null;
}

/** The export that is made next; null: there is none yet. One is made at a time. @param now milliseconds since the UNIX epoch */
export function nextPending({ known }: Exports, now: number): Export | null {
  return known.find((one) => isPending(one) && one.notBefore <= now) ?? null;
}

/** Those whose files have been kept long enough. @param now milliseconds since the UNIX epoch */
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
