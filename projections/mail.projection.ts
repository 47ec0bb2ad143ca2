import { mailModel, type WaitingEmailDocument } from '../src/contexts/mail/read-model.js';
import type { Recorded, RecordedEvent } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { MailAbandoned, MailPostponed, MailSent } from '../src/events/mail.js';
import { mailedEvents } from '../src/contexts/mail/email.js';
import { on, type Change, type LoadedDocuments, type Projection } from './engine/projection.js';

const COLLECTION = 'letters';

/** E-mails that wait to be sent. */
export const mailProjection: Projection = {
  ...mailModel,
  isForBackgroundWork: true,
  on: handlers(
    on(mailedEvents, { apply: requested }),
    on([MailSent, MailAbandoned], { apply: over }),
    on(MailPostponed, {
      reads: ({ data }) => [{ collection: COLLECTION, id: data.letterId }],
      apply: postponed,
    }),
  ),
};

function requested({ id, stream, revision, metadata }: RecordedEvent): readonly Change[] {
  const { actorId, at } = metadata;
  const owner = actorId ?? stream;
  const email: WaitingEmailDocument = { _id: id, stream, revision, owner, requestedAt: at, dueAt: at };
  return [{ collection: COLLECTION, put: email }];
}

function over({ data: { letterId } }: Recorded<typeof MailSent | typeof MailAbandoned>): readonly Change[] {
  return [{ collection: COLLECTION, remove: letterId }];
}

function postponed(
  { data: { letterId, retryAt } }: Recorded<typeof MailPostponed>,
  documents: LoadedDocuments,
): readonly Change[] {
  const email = documents.get<WaitingEmailDocument>(COLLECTION, letterId);
  return email === null ? [] : [{ collection: COLLECTION, put: { ...email, dueAt: retryAt } }];
}
