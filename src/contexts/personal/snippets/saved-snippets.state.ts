import { streamsOf } from '../../../kernel/decision.js';
import { personalStream } from '../../../events/personal.js';
import type { Fold } from '../../../kernel/fold.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { PersistentMap } from '../../../kernel/persistent-map.js';
import { limits } from '../../../events/values/organization-defaults.js';
import type { SavedSnippetEvent } from '../../../events/saved-snippets.js';

/** A person's saved snippets, without their content, which is only in the log and in the read model. */
export interface SavedSnippets {
  readonly ids: PersistentMap<number, true>;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Maximum length of a title, in characters. */
export const snippetTitle = { name: 'title', max: 60, isName: true } as const;

/** Maximum length of a snippet, in characters. */
export const snippetContent = { name: 'content', max: limits.message } as const;

/** Folds a person's snippets out of their stream, whose other events are ignored. */
export const savedSnippetsFold: Fold<SavedSnippets, RecordedEvent<SavedSnippetEvent>> = {
  snapshot: { name: 'saved-snippets', version: 1 },
  initial: { ids: PersistentMap.empty(), nextRevision: 0 },
  evolve({ ids }, event) {
    const nextRevision = event.revision + 1;
    switch (event.type) {
      case 'SavedSnippetCreated':
        return { ids: ids.set(event.data.snippetId, true), nextRevision };
      case 'SavedSnippetDeleted':
        return { ids: ids.delete(event.data.snippetId), nextRevision };
      default:
        return { ids, nextRevision };
    }
  },
};

/** A person's saved snippets, for decisions about them. */
export const savedSnippetsOf = streamsOf(personalStream, savedSnippetsFold);
