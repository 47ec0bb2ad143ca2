import { ORGANIZATION_STREAM } from '../../access/records/organization.js';
import {
  BelongingErased,
  BelongingErasureDeferred,
  MessageErased,
  PersonErased,
  SecurityRecordsErased,
  personalDeletions,
} from '../../events/erasure.js';
import { OrganizationCreated, OrganizationSettingsChanged } from '../../events/organization.js';
import { UploadDeleted } from '../../events/uploads.js';
import { eventsOfStream, type EventStore, type PersistedEvent } from '../../stores/event-store/port.js';
import type { Manifest } from './manifest.js';

/** Keys or files that were destroyed. Backups from before that may still contain what they decrypt. */
export interface Erasure {
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** The log, as far as erasures are read from it. */
export type ErasureLog = Pick<EventStore, 'readAll' | 'readStream'>;

/** Each records an erasure. */
const erased: ReadonlySet<string> = new Set([MessageErased.type, PersonErased.type, BelongingErased.type]);

/** Deletions of what is erased at once only where the organization's policy is to erase what people delete. */
const personal: ReadonlySet<string> = new Set(personalDeletions.map(({ type }) => type));

const types = [
  ...erased,
  ...personal,
  SecurityRecordsErased.type,
  UploadDeleted.type,
  BelongingErasureDeferred.type,
];

/**
 * The erasures after a position, oldest first: of messages, people, files, security records, and where the policy is
 * to erase what people delete, of their drafts, reminders, scheduled messages and snippets. What a legal hold keeps
 * is erased when the log says so.
 */
export async function erasuresAfter(log: ErasureLog, position: number): Promise<readonly Erasure[]> {
  const policy = await ErasurePolicy.read(log);
  const found: PersistedEvent[] = [];
  const deferred = new Set<string>();
  for await (const { events } of log.readAll({ after: position, types })) {
    for (const event of events) {
      if (event.type === BelongingErasureDeferred.type) deferred.add(placeOf(event.data));
      else if (erases(event, policy)) found.push(event);
    }
  }
  return found
    .filter((event) => !deferred.has(placeOf(event)))
    .map(({ position: at, metadata }) => ({ position: at, at: Number(metadata['at']) }));
}

/**
 * The first erasure after a backup was made: unless what was erased is newer than the backup, the backup still contains
 * it. Undefined: there was none.
 */
export function firstErasureSince({ log }: Manifest, erasures: readonly Erasure[]): Erasure | undefined {
  return erasures.find(({ position }) => position > log.position);
}

function erases({ type, data, position }: PersistedEvent, policy: ErasurePolicy): boolean {
  if (personal.has(type)) return policy.erasesAt(position);
  if (type === SecurityRecordsErased.type) return Number(data['count']) > 0;
  return erased.has(type) || type === UploadDeleted.type;
}

/** Identifies an event, or the event that a deferral is about. */
function placeOf(event: { readonly stream?: unknown; readonly revision?: unknown }): string {
  return `${String(event.stream)} ${String(event.revision)}`;
}

/** The organization's policy for what people delete (`message_erasure_policy`) over time. */
class ErasurePolicy {
  private constructor(
    private readonly changes: readonly { readonly position: number; readonly erases: boolean }[],
  ) {}

  static async read(log: ErasureLog): Promise<ErasurePolicy> {
    const changes: { position: number; erases: boolean }[] = [];
    for await (const { type, data, position } of eventsOfStream(log, ORGANIZATION_STREAM)) {
      if (type !== OrganizationCreated.type && type !== OrganizationSettingsChanged.type) continue;
      const { message_erasure_policy: policy } = (data['settings'] ?? {}) as Record<string, unknown>;
      if (policy !== undefined) changes.push({ position, erases: policy === 'erase' });
    }
    return new ErasurePolicy(changes);
  }

  erasesAt(position: number): boolean {
    return this.changes.findLast((change) => change.position < position)?.erases ?? false;
  }
}
