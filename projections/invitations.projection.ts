import { invitationsModel, type InvitationDocument } from '../src/contexts/invitations/read-model.js';
import {
  InvitationAccepted,
  InvitationLinkCreated,
  InvitationRenewed,
  InvitationRevoked,
  InvitationSent,
} from '../src/events/invitations.js';
import { toSeconds } from '../src/kernel/clock.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { on, type Change, type LoadedDocuments, type Projection } from './engine/projection.js';

const COLLECTION = 'invitations';

/** Valid and expired invitations that were neither used nor revoked. */
export const invitationsProjection: Projection = {
  ...invitationsModel,
  on: handlers(
    on(InvitationSent, { apply: sent }),
    on(InvitationLinkCreated, { apply: linkCreated }),
    on(InvitationRenewed, {
      reads: (event) => [{ collection: COLLECTION, id: event.data.invitationId }],
      apply: resent,
    }),
    on(InvitationRevoked, { apply: (event) => gone(event.data.invitationId) }),
    on(InvitationAccepted, {
      apply: (event) => {
        const { invitationId, voidedIds } = event.data;
        return [invitationId, ...voidedIds].flatMap(gone);
      },
    }),
  ),
};

/** A confirmation e-mail for somebody who asked to join has no inviter, and is not listed. */
function sent({ data, metadata }: Recorded<typeof InvitationSent>): readonly Change[] {
  const { invitationId: _id, email, inviterId, linkId, terms, notifyInviter, expiresAt } = data;
  if (inviterId === null || linkId !== null) return [];
  const { role } = terms;
  const sentAt = toSeconds(metadata.at);
  const document: InvitationDocument = { _id, email, inviterId, role, notifyInviter, sentAt, expiresAt };
  return [{ collection: COLLECTION, put: document }];
}

function linkCreated({ data, metadata }: Recorded<typeof InvitationLinkCreated>): readonly Change[] {
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
  return [{ collection: COLLECTION, put: document }];
}

function resent(
  { data, metadata }: Recorded<typeof InvitationRenewed>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { invitationId, expiresAt } = data;
  const document = documents.get<InvitationDocument>(COLLECTION, invitationId);
  if (document === null) return [];
  return [{ collection: COLLECTION, put: { ...document, sentAt: toSeconds(metadata.at), expiresAt } }];
}

function gone(id: number): readonly Change[] {
  return [{ collection: COLLECTION, remove: id }];
}
