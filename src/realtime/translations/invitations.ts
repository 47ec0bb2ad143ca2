import type { InvitationEvent } from '../../invitations/events.js';
import { isAdministrator } from '../../users/roles.js';
import type { Notice, Translations } from '../translation.js';

/** Clients are told that there is something to look at: each asks for what it may see. */
export const invitationTranslations: Translations<InvitationEvent> = {
  InvitationSent: {
    // Whoever asked to join by a link is in nobody's list.
    notices: ({ data }) => (data.linkId === null && data.inviterId !== null ? changed(data) : []),
  },
  InvitationLinkCreated: { notices: ({ data }) => changed(data) },
  InvitationRenewed: { notices: ({ data }) => changed(data) },
  InvitationRevoked: { notices: ({ data }) => changed(data) },
  InvitationAccepted: { notices: ({ data }) => changed(data) },
};

function changed({ inviterId }: { readonly inviterId: number | null }): readonly Notice[] {
  return [
    {
      to: (user) => user.bot === null && (isAdministrator(user) || user.id === inviterId),
      event: { type: 'invites_changed' },
    },
  ];
}
