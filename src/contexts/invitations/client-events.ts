import type { InvitationEvent } from '../../events/invitations.js';
import { isPersonal } from './invitations.state.js';
import { isAdministrator } from '../../access/records/roles.js';
import type { AddressedEvent, Mappers } from '../../realtime/mapper.js';

/** Clients are only notified that the list changed, and fetch what they may see. */
export const invitationMappers: Mappers<InvitationEvent> = {
  InvitationSent: {
    // An invitation that a person requested for themselves is in nobody's list.
    clientEvents: ({ data }) => (isPersonal(data) ? changed(data) : []),
  },
  InvitationLinkCreated: { clientEvents: ({ data }) => changed(data) },
  InvitationRenewed: { clientEvents: ({ data }) => changed(data) },
  InvitationRevoked: { clientEvents: ({ data }) => changed(data) },
  InvitationAccepted: { clientEvents: ({ data }) => changed(data) },
};

function changed({ inviterId }: { readonly inviterId: number | null }): readonly AddressedEvent[] {
  return [
    {
      to: (user) => user.bot === null && (isAdministrator(user) || user.id === inviterId),
      event: { type: 'invites_changed' },
    },
  ];
}
