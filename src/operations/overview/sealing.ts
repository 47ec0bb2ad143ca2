import { SEALS_STREAM, type LogSealed } from '../../events/audit.js';
import type { Recorded } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { lastSeal } from '../../stores/event-store/seals.js';

/** How far the log is sealed, by whichever process. Times are milliseconds since the UNIX epoch. */
interface Sealing {
  /** Null: the log has no seal yet. */
  readonly lastSealAt: number | null;
  /** When the first event that no seal covers was decided; null: there is none. */
  readonly unsealedSince: number | null;
}

/** Small, because only the first event that is not a seal matters. */
const PAGE = 8;

/** Reads the last seal and the first event that it does not cover. */
export async function sealingOf(log: EventLog): Promise<Sealing> {
  const seal = await lastSeal(log);
  return { lastSealAt: seal?.metadata.at ?? null, unsealedSince: await firstUnsealed(log, seal) };
}

async function firstUnsealed(log: EventLog, seal: Recorded<typeof LogSealed> | null): Promise<number | null> {
  const after = seal === null ? null : await sealedPosition(log, seal);
  for await (const { events } of log.store.readAll({ after, pageSize: PAGE })) {
    const event = events.find(({ stream }) => stream !== SEALS_STREAM);
    if (event !== undefined) return Number(event.metadata['at'] ?? 0);
  }
  return null;
}

/** Position of the last event that a seal covers. Events appended while the seal was made are after it, but before the seal. */
async function sealedPosition(log: EventLog, seal: Recorded<typeof LogSealed>): Promise<number> {
  const { stream, revision } = seal.data.last;
  const [event] = await log.store.readStream(stream, { from: revision, limit: 1 });
  return event?.position ?? seal.position;
}
