import { MessageErased, PersonErased } from '../../events/erasure.js';
import type { EventStore } from '../../stores/event-store/port.js';
import { deleteManifest, readManifests } from './catalog.js';
import { piecesOf, type Manifest } from './manifest.js';
import type { BackupPlace } from './places/place.js';

/** How long backups are kept. */
export interface Retention {
  /** As many of the newest. */
  readonly keep: number;
  /** Days after an erasure that they are older than. */
  readonly erasedDays: number;
}

/** Something whose key was destroyed, and that backups from before still hold. */
export interface Erasure {
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

const DAY = 86_400_000;

/** Pieces that no backup names may be those of one that is being made. */
const UNFINISHED_MILLISECONDS = DAY;

/** What was erased after a position, oldest first. */
export async function erasuresAfter(
  log: Pick<EventStore, 'readAll'>,
  position: number,
): Promise<readonly Erasure[]> {
  const erasures: Erasure[] = [];
  const types = [MessageErased.type, PersonErased.type];
  for await (const { events } of log.readAll({ after: position, types })) {
    erasures.push(
      ...events.map(({ position: at, metadata }) => ({ position: at, at: Number(metadata['at']) })),
    );
  }
  return erasures;
}

/** The first erasure that a backup knows nothing of: it still holds what was erased. Undefined: it holds nothing of that kind. */
export function firstErasureSince({ log }: Manifest, erasures: readonly Erasure[]): Erasure | undefined {
  return erasures.find(({ position }) => position > log.position);
}

/** Which backups have had their time; the newest never has. */
export function expired(
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

/** Deletes backups, and every piece that no other one needs. @returns which backups went */
export async function expireBackups(
  place: BackupPlace,
  retention: Retention,
  now: { readonly at: number; readonly log: Pick<EventStore, 'readAll'> },
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

/** The time that the id of the backup tells which wrote a piece; never, for names of others. */
function writtenAt(piece: string): number {
  const [, date, hours, minutes, seconds, milliseconds] =
    /^pieces\/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\//.exec(piece) ?? [];
  return date === undefined
    ? Infinity
    : Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}
