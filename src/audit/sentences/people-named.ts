import type { RecordedEvent } from '../../kernel/event.js';
import { sentenceOf } from './sentence-of.js';

/** Ids of the people whom the sentence of an event names: who acted, and whom it concerns. */
export function peopleNamedIn(event: RecordedEvent): ReadonlySet<number> {
  const ids = new Set<number>();
  sentenceOf(event, {
    nameAt: (kind, id) => {
      if (kind === 'person') ids.add(id);
      return null;
    },
  });
  return ids;
}
