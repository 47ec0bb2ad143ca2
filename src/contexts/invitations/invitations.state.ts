import type { Fold } from '../../kernel/fold.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { stream } from '../../kernel/decision.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { InvitationEvent, InvitationTerms } from '../../events/invitations.js';

/** The stream of all invitations. */
export const INVITATIONS_STREAM = 'invitations';

/**
 * The part of an invitation or a reusable link that decisions depend on. Its address is only in the log and
 * in e-mails.
 */
export interface Invitation {
  readonly id: number;
  /** Id of the event that created it; accounts created by it name that as their cause. */
  readonly eventId: string;
  /** Null for a reusable link. */
  readonly emailDigest: string | null;
  readonly inviterId: number | null;
  readonly linkId: number | null;
  readonly terms: InvitationTerms;
  readonly notifyInviter: boolean;
  /** Milliseconds since the UNIX epoch. */
  readonly sentAt: number;
  /** Seconds since the UNIX epoch; null: never. */
  readonly expiresAt: number | null;
  /** Validity from the time of sending, in seconds; null: no expiry. */
  readonly validFor: number | null;
  readonly status: 'open' | 'revoked' | 'accepted';
  /** The account that accepted it. */
  readonly userId: number | null;
}

/** Number of e-mails sent on one day. */
interface DayCount {
  /** Days since the UNIX epoch, in UTC. */
  readonly day: number;
  /** To people whom somebody invited. */
  readonly invited: number;
  /** To people who asked to join. They are counted apart, so that strangers do not use up the invitations of members. */
  readonly requested: number;
  /** All of them, by the digest of the address. */
  readonly byDigest: PersistentMap<string, number>;
}

/** All invitations, and the counts that limit e-mails, folded from the stream `invitations`. */
export interface Invitations {
  readonly byId: PersistentMap<number, Invitation>;
  readonly idsByEventId: PersistentMap<string, number>;
  readonly emailsOfDay: DayCount;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds the stream `invitations`. */
export const invitationsFold: Fold<Invitations, RecordedEvent<InvitationEvent>> = {
  snapshot: { name: 'invitations', version: 2 },
  initial: {
    byId: PersistentMap.empty(),
    idsByEventId: PersistentMap.empty(),
    emailsOfDay: { day: 0, invited: 0, requested: 0, byDigest: PersistentMap.empty() },
    nextRevision: 0,
  },
  evolve(state, event) {
    const next = { ...state, nextRevision: event.revision + 1 };
    switch (event.type) {
      case 'InvitationSent':
        return counted(added(next, invitationOf(event)), event.data, event.metadata.at);
      case 'InvitationLinkCreated': {
        const link = { ...event.data, emailDigest: null, linkId: null, notifyInviter: true };
        return added(next, invitationOf({ ...event, data: link }));
      }
      case 'InvitationRenewed': {
        const { invitationId, expiresAt } = event.data;
        const renewed = changed(next, invitationId, { expiresAt });
        const invitation = state.byId.get(invitationId);
        return invitation === undefined ? renewed : counted(renewed, invitation, event.metadata.at);
      }
      case 'InvitationRevoked':
        return changed(next, event.data.invitationId, { status: 'revoked' });
      case 'InvitationAccepted': {
        const { invitationId, userId, voidedIds } = event.data;
        const accepted = changed(next, invitationId, { status: 'accepted', userId });
        return voidedIds.reduce((rest, id) => changed(rest, id, { status: 'revoked' }), accepted);
      }
    }
  },
};

/** The stream of the invitations, for decisions about them. */
export const foldedInvitations = stream(INVITATIONS_STREAM, invitationsFold);

interface Made {
  readonly id: string;
  readonly metadata: { readonly at: number };
  readonly data: Pick<
    Invitation,
    'emailDigest' | 'inviterId' | 'linkId' | 'terms' | 'notifyInviter' | 'expiresAt'
  > & {
    readonly invitationId: number;
  };
}

function invitationOf({ id: eventId, metadata: { at }, data }: Made): Invitation {
  const { invitationId: id, emailDigest, inviterId, linkId, terms, notifyInviter, expiresAt } = data;
  const validFor = expiresAt === null ? null : expiresAt - Math.floor(at / 1000);
  const facts = { id, eventId, emailDigest, inviterId, linkId, terms, notifyInviter, expiresAt, validFor };
  return { ...facts, sentAt: at, status: 'open', userId: null };
}

function added(state: Invitations, invitation: Invitation): Invitations {
  return {
    ...state,
    byId: state.byId.set(invitation.id, invitation),
    idsByEventId: state.idsByEventId.set(invitation.eventId, invitation.id),
  };
}

function changed(state: Invitations, id: number, changes: Partial<Invitation>): Invitations {
  const invitation = state.byId.get(id);
  return invitation === undefined
    ? state
    : { ...state, byId: state.byId.set(id, { ...invitation, ...changes }) };
}

function counted(
  state: Invitations,
  invitation: Pick<Invitation, 'emailDigest' | 'inviterId' | 'linkId'>,
  at: number,
): Invitations {
  const { day, invited, requested, byDigest } = emailsOn(state, at);
  const digest = invitation.emailDigest ?? '';
  const count = (byDigest.get(digest) ?? 0) + 1;
  const personal = isPersonal(invitation) ? 1 : 0;
  const emailsOfDay = {
    day,
    invited: invited + personal,
    requested: requested + 1 - personal,
    byDigest: byDigest.set(digest, count),
  };
  return { ...state, emailsOfDay };
}

/** Whether somebody invited the person by address; otherwise the person asked to join, by a link or in an open organization. */
export function isPersonal<Made extends Pick<Invitation, 'inviterId' | 'linkId'>>(
  invitation: Made,
): invitation is Made & { readonly inviterId: number } {
  return invitation.inviterId !== null && invitation.linkId === null;
}

const DAY = 24 * 3_600_000;

/** How many e-mails were sent so far on the day of a time. */
export function emailsOn({ emailsOfDay }: Invitations, at: number): DayCount {
  const today = Math.floor(at / DAY);
  if (emailsOfDay.day === today) return emailsOfDay;
  return { day: today, invited: 0, requested: 0, byDigest: PersistentMap.empty() };
}

/** Whether it can be used as far as its own status and expiry go. */
export function isOpen({ status, expiresAt }: Invitation, now: number): boolean {
  return status === 'open' && (expiresAt === null || expiresAt * 1000 > now);
}

/**
 * An invitation or a link that is neither accepted nor revoked.
 *
 * @throws ApplicationError `noSuchInvitation`
 */
export function openInvitation({ byId }: Invitations, id: number, kind: 'invitation' | 'link'): Invitation {
  const invitation = byId.get(id);
  if (invitation?.status !== 'open' || (invitation.emailDigest === null) !== (kind === 'link')) {
    throw failure('noSuchInvitation');
  }
  return invitation;
}
