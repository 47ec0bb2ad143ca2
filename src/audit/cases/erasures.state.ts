import { erasuresStream, type ErasureEvent } from '../../events/erasure.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { FoldedStream } from '../../kernel/decision.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { unreachable } from '../../kernel/json.js';

/** The event by which something was thrown away. */
export interface ThrownAway {
  readonly stream: string;
  readonly revision: number;
}

/** What legal holds keep of what was to be erased. */
export interface Erasures {
  /** Deleted messages, by their ids. */
  readonly messages: PersistentMap<number, true>;
  /** What else was thrown away, by the event that did it: see {@link belongingKey}. */
  readonly belongings: PersistentMap<string, ThrownAway>;
  /** People who were last refused to be erased, and the cases because of which. */
  readonly refused: PersistentMap<number, readonly number[]>;
  /** The last event of a log-in or a key that was looked at because of its age; null: none was yet. */
  readonly lastSecurityRecord: ThrownAway | null;
}

const erasuresFold: Fold<Erasures, RecordedEvent<ErasureEvent>> = {
  initial: {
    messages: PersistentMap.empty(),
    belongings: PersistentMap.empty(),
    refused: PersistentMap.empty(),
    lastSecurityRecord: null,
  },
  evolve(state, { type, data }) {
    switch (type) {
      case 'MessageErasureDeferred':
        return { ...state, messages: state.messages.set(data.messageId, true) };
      case 'MessageErased':
        return { ...state, messages: state.messages.delete(data.messageId) };
      case 'BelongingErasureDeferred': {
        const { stream, revision } = data;
        return { ...state, belongings: state.belongings.set(belongingKey(data), { stream, revision }) };
      }
      case 'BelongingErased':
        return { ...state, belongings: state.belongings.delete(belongingKey(data)) };
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

/** What was erased, and what is still to be. */
export const erasures: FoldedStream<Erasures, RecordedEvent<ErasureEvent>> = {
  stream: erasuresStream,
  fold: erasuresFold,
};

export function belongingKey({ stream, revision }: ThrownAway): string {
  return `${stream}@${revision}`;
}
