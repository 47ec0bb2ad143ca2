import { recordKey, type DiscardedRecord, type Erasures } from './erasures.state.js';
import type {
  BelongingErased,
  BelongingErasureDeferred,
  ErasureEvent,
  MessageErased,
  MessageErasureDeferred,
  PersonErased,
  PersonErasureRefused,
  PersonErasureRequested,
} from '../../events/erasure.js';
import type { EventOf } from '../../kernel/event.js';

/** A deleted message under legal holds. */
export interface DeferredMessage {
  readonly messageId: number;
  /** Ids of the cases with these holds. */
  readonly caseIds: readonly number[];
}

/** A discarded record under legal holds. */
export interface HeldRecord extends DiscardedRecord {
  /** Ids of the cases with these holds. */
  readonly caseIds: readonly number[];
}

/** Security records that were examined at the end of the retention period. */
interface ExaminedSecurityRecords {
  readonly last: DiscardedRecord;
  /** How many were erased. */
  readonly count: number;
  readonly held: readonly HeldRecord[];
}

/** An operator requests the erasure of a person. */
export function decideRequestErasure(
  data: EventOf<typeof PersonErasureRequested>['data'],
): readonly EventOf<typeof PersonErasureRequested>[] {
  return [{ type: 'PersonErasureRequested', data }];
}

/** Messages whose keys were destroyed. */
export function decideEraseMessages(
  messages: readonly EventOf<typeof MessageErased>['data'][],
): readonly EventOf<typeof MessageErased>[] {
  return messages.map((data) => ({ type: 'MessageErased', data }));
}

/** Keeps messages until their holds are lifted; those that are kept already are not recorded again. */
export function decideDeferMessages(
  { messages: kept }: Erasures,
  messages: readonly DeferredMessage[],
): readonly EventOf<typeof MessageErasureDeferred>[] {
  return messages
    .filter(({ messageId }) => kept.get(messageId) === undefined)
    .map(({ messageId, caseIds }) => ({
      type: 'MessageErasureDeferred',
      data: { messageId, caseIds: [...caseIds] },
    }));
}

/** A person whose key was destroyed. */
export function decideErasePerson(userId: number): readonly EventOf<typeof PersonErased>[] {
  return [{ type: 'PersonErased', data: { userId } }];
}

/** @param caseIds ids of the cases whose holds prevent the erasure */
export function decideRefuseErasure(
  userId: number,
  caseIds: readonly number[],
): readonly EventOf<typeof PersonErasureRefused>[] {
  return [{ type: 'PersonErasureRefused', data: { userId, caseIds: [...caseIds] } }];
}

/** Keeps a discarded record until its holds are lifted; one that is kept already is not recorded again. */
export function decideDeferRecord(
  { records: kept }: Erasures,
  { stream, revision, caseIds }: HeldRecord,
): readonly EventOf<typeof BelongingErasureDeferred>[] {
  return kept.get(recordKey({ stream, revision })) === undefined
    ? [{ type: 'BelongingErasureDeferred', data: { stream, revision, caseIds: [...caseIds] } }]
    : [];
}

/** A record that was kept by a hold, and whose key was destroyed. */
export function decideEraseRecord({
  stream,
  revision,
}: DiscardedRecord): readonly EventOf<typeof BelongingErased>[] {
  return [{ type: 'BelongingErased', data: { stream, revision } }];
}

/** Security records at the end of their retention: those under holds are kept, the others were erased. */
export function decideEraseSecurityRecords(
  state: Erasures,
  { last: { stream, revision }, count, held }: ExaminedSecurityRecords,
): readonly ErasureEvent[] {
  return [
    ...held.flatMap((record) => decideDeferRecord(state, record)),
    { type: 'SecurityRecordsErased', data: { last: { stream, revision }, count } },
  ];
}
