import { streamsOf } from '../../kernel/decision.js';
import { personalStream, type DraftEvent } from '../../events/personal.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';

/** A person's drafts, without their content, which is only in the log and in the read model. */
export interface Drafts {
  readonly ids: PersistentMap<number, true>;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds a person's drafts out of their stream, whose other events are ignored. */
export const draftsFold: Fold<Drafts, RecordedEvent<DraftEvent>> = {
  snapshot: { name: 'drafts', version: 1 },
  initial: { ids: PersistentMap.empty(), nextRevision: 0 },
  evolve({ ids }, event) {
    const nextRevision = event.revision + 1;
    switch (event.type) {
      case 'DraftSaved':
        return { ids: ids.set(event.data.draftId, true), nextRevision };
      case 'DraftDeleted':
        return { ids: ids.delete(event.data.draftId), nextRevision };
      case 'DraftsDiscarded':
        return { ids: PersistentMap.empty(), nextRevision };
      default:
        return { ids, nextRevision };
    }
  },
};

/** A person's drafts, for decisions about them. */
export const draftsOf = streamsOf(personalStream, draftsFold);
