import { mailModel, type WaitingLetterDocument } from '../src/contexts/mail/read-model.js';
import type { Recorded, RecordedEvent } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/on.js';
import { MailAbandoned, MailPostponed, MailSent } from '../src/events/mail.js';
import { mailedEvents } from '../src/contexts/mail/mailed-events.js';
import { on, type Change, type LoadedDocuments, type Projection } from './engine/projection.js';

const collection = 'letters';

/** Which letters wait to be sent. */
export const mailProjection: Projection = {
  ...mailModel,
  isForWork: true,
  on: handlers(
    on(mailedEvents, { apply: requested }),
    on([MailSent, MailAbandoned], { apply: over }),
    on(MailPostponed, {
      reads: ({ data }) => [{ collection, id: data.letterId }],
      apply: postponed,
    }),
  ),
};

function requested({ id, stream, revision, metadata: { at } }: RecordedEvent): readonly Change[] {
  const letter: WaitingLetterDocument = { _id: id, stream, revision, requestedAt: at, dueAt: at };
  return [{ collection, put: letter }];
}

function over({ data: { letterId } }: Recorded<typeof MailSent | typeof MailAbandoned>): readonly Change[] {
  return [{ collection, remove: letterId }];
}

function postponed(
  { data: { letterId, retryAt } }: Recorded<typeof MailPostponed>,
  documents: LoadedDocuments,
): readonly Change[] {
  const letter = documents.get<WaitingLetterDocument>(collection, letterId);
  return letter === null ? [] : [{ collection, put: { ...letter, dueAt: retryAt } }];
}
