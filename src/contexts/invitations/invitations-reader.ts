import { Injectable } from '@nestjs/common';
import { EventLog } from '../../stores/event-store/event-log.js';
import type { Recorded } from '../../kernel/event.js';
import { revisionOfId } from '../../kernel/ids.js';
import { Decisions } from '../../http/decisions.js';
import type { InvitationLinkCreated, InvitationSent } from '../../events/invitations.js';
import { foldedInvitations, INVITATIONS_STREAM, type Invitations } from './invitations.state.js';

/** The event that created an invitation or a link. */
type MakingEvent = Recorded<typeof InvitationSent | typeof InvitationLinkCreated>;

/** Reads the stream of all invitations. */
@Injectable()
export class InvitationsReader {
  constructor(
    private readonly decisions: Decisions,
    private readonly log: EventLog,
  ) {}

  /** All invitations, as of the end of their stream. */
  all(): Promise<Invitations> {
    return this.decisions.load(foldedInvitations);
  }

  /** The event that created an invitation or a link; its revision follows from the id. */
  async making(invitationId: number): Promise<MakingEvent> {
    const from = revisionOfId(invitationId);
    const [event] = await this.log.readStream(INVITATIONS_STREAM, { from, limit: 1 });
    if (event?.type !== 'InvitationSent' && event?.type !== 'InvitationLinkCreated') {
      throw new Error(`No invitation has the id ${invitationId}`);
    }
    return event as MakingEvent;
  }
}
