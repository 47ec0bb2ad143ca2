import { deleteManifest, readManifests } from './catalog.js';
import { erasuresAfter, firstErasureSince, type Erasure, type ErasureLog } from './erasures-in-log.js';
import { piecesOf, type Manifest } from './manifest.js';
import type { BackupPlace } from './places/place.js';

/** How long backups are kept. */
interface Retention {
  /** How many of the newest backups are kept. */
  readonly keep: number;
  /** A backup that is older than an erasure is deleted this many days after the erasure. */
  readonly erasedDays: number;
}

const DAY = 86_400_000;

/** For this long, pieces that no manifest names may belong to a backup that is still being made. */
const UNFINISHED_MILLISECONDS = DAY;

/** The backups to delete; the newest one is never deleted. */
function expired(
  manifests: readonly Manifest[],
  { keep, erasedDays }: Retention,
  now: { readonly at: number; readonly erasures: readonly Erasure[] },
): readonly Manifest[] {
  return manifests.slice(0, -1).filter((manifest, index) => {
    if (index < manifests.length - keep) return true;
    const erasure = firstErasureSince(manifest, now.erasures);
    return erasure !== undefined && now.at - erasure.at >= erasedDays * DAY;
  });
}

/** Deletes expired backups, and every piece that no remaining backup needs. @returns the deleted backups */
export async function expireBackups(
  place: BackupPlace,
  retention: Retention,
  now: { readonly at: number; readonly log: ErasureLog },
): Promise<readonly Manifest[]> {
  const manifests = await readManifests(place);
  const erasures = await erasuresAfter(now.log, manifests[0]?.log.position ?? 0);
  const gone = expired(manifests, retention, { at: now.at, erasures });
  for (const manifest of gone) await deleteManifest(place, manifest);
  const needed = new Set(
    manifests.filter((one) => !gone.includes(one)).flatMap((one) => piecesOf(one).map(({ name }) => name)),
  );
  for (const name of await place.list('pieces')) {
    const isUnfinished = writtenAt(name) > now.at - UNFINISHED_MILLISECONDS && !isOf(name, manifests);
    if (!needed.has(name) && !isUnfinished) await place.delete(name);
  }
  return gone;
}

function isOf(piece: string, manifests: readonly Manifest[]): boolean {
  return manifests.some(({ id }) => piece.startsWith(`pieces/${id}/`));
}

/** When a piece was written, from the backup id in its name; `Infinity` for other names, so that they are kept. */
function writtenAt(piece: string): number {
  const [, date, hours, minutes, seconds, milliseconds] =
    /^pieces\/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\//.exec(piece) ?? [];
  return date === undefined
    ? Infinity
    : Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}
