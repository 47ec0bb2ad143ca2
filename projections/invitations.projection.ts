import type {
  InvitationAccepted,
  InvitationLinkCreated,
  InvitationRenewed,
  InvitationRevoked,
  InvitationSent,
} from '../src/invitations/events.js';
import type { InvitationDocument } from '../src/invitations/invitation-document.js';
import { toSeconds } from '../src/kernel/clock.js';
import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type { Change, LoadedDocuments, Projection } from './engine/projection.js';

type Sent = RecordedEvent<EventOf<typeof InvitationSent>>;
type LinkCreated = RecordedEvent<EventOf<typeof InvitationLinkCreated>>;
type Resent = RecordedEvent<EventOf<typeof InvitationRenewed>>;
type Revoked = RecordedEvent<EventOf<typeof InvitationRevoked>>;
type Accepted = RecordedEvent<EventOf<typeof InvitationAccepted>>;

const collection = 'invitations';

/** The invitations that stand, those that have expired among them. */
export const invitationsProjection: Projection = {
  name: 'invitations',
  version: 1,
  collections: [{ name: collection, indexes: [{ key: { inviterId: 1, _id: 1 } }] }],
  on: {
    InvitationSent: { apply: (event) => sent(event as Sent) },
    InvitationLinkCreated: { apply: (event) => linkCreated(event as LinkCreated) },
    InvitationRenewed: {
      reads: (event) => [{ collection, id: (event as Resent).data.invitationId }],
      apply: (event, documents) => resent(event as Resent, documents),
    },
    InvitationRevoked: { apply: (event) => gone((event as Revoked).data.invitationId) },
    InvitationAccepted: {
      apply: (event) => {
        const { invitationId, voidedIds } = (event as Accepted).data;
        return [invitationId, ...voidedIds].flatMap(gone);
      },
    },
  },
};

/** Whoever asked to join was invited by nobody in particular, and is not listed. */
function sent({ data, metadata }: Sent): readonly Change[] {
  const { invitationId: _id, email, inviterId, linkId, terms, notifyInviter, expiresAt } = data;
  if (inviterId === null || linkId !== null) return [];
  const { role } = terms;
  const sentAt = toSeconds(metadata.at);
  const document: InvitationDocument = { _id, email, inviterId, role, notifyInviter, sentAt, expiresAt };
  return [{ collection, put: document }];
}

function linkCreated({ data, metadata }: LinkCreated): readonly Change[] {
  const { invitationId: _id, inviterId, terms, expiresAt } = data;
  const document: InvitationDocument = {
    _id,
    email: null,
    inviterId,
    role: terms.role,
    notifyInviter: true,
    sentAt: toSeconds(metadata.at),
    expiresAt,
  };
  return [{ collection, put: document }];
}

function resent({ data, metadata }: Resent, documents: LoadedDocuments): readonly Change[] {
  const { invitationId, expiresAt } = data;
  const document = documents.get<InvitationDocument>(collection, invitationId);
  if (document === null) return [];
  return [{ collection, put: { ...document, sentAt: toSeconds(metadata.at), expiresAt } }];
}

function gone(id: number): readonly Change[] {
  return [{ collection, remove: id }];
}
