import { streamsOf } from '../../../kernel/stream.js';
import { personalStream } from '../../../events/personal-stream.js';
import type { Fold } from '../../../kernel/decider.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { PersistentMap } from '../../../kernel/persistent-map.js';
import { limits } from '../../../events/values/organization-defaults.js';
import type { SavedSnippetEvent } from '../../../events/saved-snippets.js';

/** Which saved texts a person has; what they say is only in the log and in the read model. */
export interface SavedSnippets {
  readonly ids: PersistentMap<number, true>;
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** The longest title and content (facts, section 2, saved_snippets). */
export const snippetTitle = { name: 'title', most: 60, isName: true } as const;

/** How long a snippet may be, in characters. */
export const snippetContent = { name: 'content', most: limits.message } as const;

/** A person's snippets, by their stream, whose other events change nothing here. */
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
