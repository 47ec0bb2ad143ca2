import { ERASURES_STREAM, type ErasureEvent } from '../../events/erasure.js';
import { noState, type Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { stream, type FoldedStream } from '../../kernel/decision.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { unreachable } from '../../kernel/json.js';

/** The event by which a personal record was discarded: a draft, a reminder, a file. */
export interface DiscardedRecord {
  readonly stream: string;
  readonly revision: number;
}

/** A discarded record that is kept. */
export interface DeferredRecord extends DiscardedRecord {
  /** Position of the event that deferred its erasure. */
  readonly position: number;
}

/** What legal holds keep from erasure. */
export interface Erasures {
  /** Deleted messages that are kept, by id: position of the event that deferred the erasure of each. */
  readonly messages: PersistentMap<number, number>;
  /** Other discarded records that are kept, by the event that discarded each: see {@link recordKey}. */
  readonly records: PersistentMap<string, DeferredRecord>;
  /** People whose last erasure was refused, with the cases that prevented it. */
  readonly refused: PersistentMap<number, readonly number[]>;
  /** The last event of a log-in or a key that was examined because of its age; null: none was yet. */
  readonly lastSecurityRecord: DiscardedRecord | null;
}

const erasuresFold: Fold<Erasures, RecordedEvent<ErasureEvent>> = {
  initial: {
    messages: PersistentMap.empty(),
    records: PersistentMap.empty(),
    refused: PersistentMap.empty(),
    lastSecurityRecord: null,
  },
  evolve(state, { type, data, position }) {
    switch (type) {
      case 'MessageErasureDeferred':
        return { ...state, messages: state.messages.set(data.messageId, position) };
      case 'MessageErased':
        return { ...state, messages: state.messages.delete(data.messageId) };
      case 'BelongingErasureDeferred': {
        const { stream, revision } = data;
        return { ...state, records: state.records.set(recordKey(data), { stream, revision, position }) };
      }
      case 'BelongingErased':
        return { ...state, records: state.records.delete(recordKey(data)) };
      case 'PersonErasureRefused':
        return { ...state, refused: state.refused.set(data.userId, data.caseIds) };
      case 'PersonErasureRequested':
      case 'PersonErased':
        return { ...state, refused: state.refused.delete(data.userId) };
      case 'SecurityRecordsErased':
        return { ...state, lastSecurityRecord: data.last };
      default:
        return unreachable(type);
    }
  },
};

/** Folds which records were erased, and which are still to be. */
export const erasures: FoldedStream<Erasures, RecordedEvent<ErasureEvent>> = {
  stream: ERASURES_STREAM,
  fold: erasuresFold,
};

/** The same stream, for decisions that depend on nothing in it. */
export const unreadErasures = stream(ERASURES_STREAM, noState);

export function recordKey({ stream, revision }: DiscardedRecord): string {
  return `${stream}@${revision}`;
}
