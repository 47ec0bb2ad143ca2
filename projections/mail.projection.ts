import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type { MailAbandoned, MailPostponed, MailSent } from '../src/mail/events.js';
import type { WaitingLetterDocument } from '../src/mail/mail-document.js';
import { mailedEvents } from '../src/mail/mailed-events.js';
import type { Change, LoadedDocuments, Projection } from './engine/projection.js';

type Over = RecordedEvent<EventOf<typeof MailSent> | EventOf<typeof MailAbandoned>>;
type Postponed = RecordedEvent<EventOf<typeof MailPostponed>>;

const collection = 'letters';

/** Which letters wait to be sent. */
export const mailProjection: Projection = {
  name: 'mail',
  version: 3,
  collections: [{ name: collection, indexes: [{ key: { dueAt: 1 } }] }],
  on: {
    ...Object.fromEntries(mailedEvents.map(({ type }) => [type, { apply: requested }])),
    MailSent: { apply: (event) => over(event as Over) },
    MailAbandoned: { apply: (event) => over(event as Over) },
    MailPostponed: {
      reads: (event) => [{ collection, id: (event as Postponed).data.letterId }],
      apply: (event, documents) => postponed(event as Postponed, documents),
    },
  },
};

function requested({ id, stream, revision, metadata: { at } }: RecordedEvent): readonly Change[] {
  const letter: WaitingLetterDocument = { _id: id, stream, revision, requestedAt: at, dueAt: at };
  return [{ collection, put: letter }];
}

function over({ data: { letterId } }: Over): readonly Change[] {
  return [{ collection, remove: letterId }];
}

function postponed(
  { data: { letterId, retryAt } }: Postponed,
  documents: LoadedDocuments,
): readonly Change[] {
  const letter = documents.get<WaitingLetterDocument>(collection, letterId);
  return letter === null ? [] : [{ collection, put: { ...letter, dueAt: retryAt } }];
}
