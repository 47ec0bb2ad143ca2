import type { Actor } from '../../access/actor.js';
import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { EventMetadata, Recorded, RecordedEvent } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { revisionOfId } from '../../kernel/ids.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { InvitationEvent, InvitationLinkCreated, InvitationSent } from '../../events/invitations.js';
import { invitationsFold, invitationsStream, type Invitations } from './invitations.js';

/** The event that made an invitation or a link. */
export type MakingEvent = Recorded<typeof InvitationSent | typeof InvitationLinkCreated>;

/** Decides about invitations, on the stream of all of them. */
@Injectable()
export class InvitationChanges {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly log: EventLog,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ApplicationError `accountDeactivated` when the account is gone */
  inviting({ userId }: Pick<Caller, 'userId'>): Actor {
    const moment = { directory: this.follower.current(), now: this.clock.now() };
    const inviter = moment.directory.user(userId);
    if (inviter?.isActive !== true) throw failure('accountDeactivated');
    return { moment, user: inviter };
  }

  /** All invitations, as of the end of their stream. */
  async all(): Promise<Invitations> {
    return (await this.streams.load({ stream: invitationsStream, fold: invitationsFold })).state;
  }

  /** Appends what a rule makes of a request. */
  apply(
    by: { readonly userId: number | null; readonly client: string },
    decide: (state: Invitations) => readonly InvitationEvent[],
  ): Promise<readonly RecordedEvent<InvitationEvent>[]> {
    return this.applyAs(requestMetadata(by, this.clock.now()), decide);
  }

  /** The same, whoever brings it about. */
  async applyAs(
    metadata: EventMetadata,
    decide: (state: Invitations) => readonly InvitationEvent[],
  ): Promise<readonly RecordedEvent<InvitationEvent>[]> {
    const decision = { stream: invitationsStream, fold: invitationsFold, decide, metadata };
    return (await handle(this.streams, decision))?.events ?? [];
  }

  /** The event that made an invitation or a link: an id says where it stands. */
  async making(invitationId: number): Promise<MakingEvent> {
    const from = revisionOfId(invitationId);
    const [event] = await this.log.readStream(invitationsStream, { from, limit: 1 });
    if (event?.type !== 'InvitationSent' && event?.type !== 'InvitationLinkCreated') {
      throw new Error(`No invitation has the id ${invitationId}`);
    }
    return event as MakingEvent;
  }
}
