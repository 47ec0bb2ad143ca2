import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { invitationsModel, type InvitationDocument } from '../read-model.js';
import type { Caller } from '../../../http/caller.js';
import { toSeconds } from '../../../kernel/clock.js';
import { ServingModels } from '../../../stores/read-store/serving-models.js';
import { isAdministrator, isWithinRole } from '../../../access/records/roles.js';
import { Decisions } from '../../../http/decisions.js';
import { assertMayHaveInvited } from '../inviting.decide.js';
import { JoinLinks } from '../join-links.js';

/** How many of the latest are listed; older ones appear as these are accepted or revoked. */
const MAX_LISTED = 5000;

/**
 * The open invitations: all for administrators, their own for others (`GET /invites`). As anybody with a link
 * can join by it, links to a role above the caller's are left out.
 */
export class GetInvitations extends Query<readonly Record<string, unknown>[]> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetInvitations)
export class GetInvitationsHandler implements IQueryHandler<GetInvitations> {
  constructor(
    private readonly models: ServingModels,
    private readonly decisions: Decisions,
    private readonly links: JoinLinks,
  ) {}

  /**
   * @throws ApplicationError `botsNotAllowed`, `guestsNotAllowed`; people who may not invite any more still
   * see what they sent
   */
  async execute({ caller }: GetInvitations): Promise<readonly Record<string, unknown>[]> {
    const { snapshot, user: inviter } = this.decisions.actor(caller);
    assertMayHaveInvited(inviter);
    const { name, collections } = invitationsModel;
    const model = await this.models.get(name, collections);
    const found = await model
      .collection<InvitationDocument>('invitations')
      .find(isAdministrator(inviter) ? {} : { inviterId: inviter.id }, {
        sort: { _id: -1 },
        limit: MAX_LISTED,
      });
    const now = toSeconds(snapshot.now);
    const valid = found.filter(({ expiresAt, inviterId, role, email }) => {
      if (email === null && !isWithinRole(inviter, role)) return false;
      return (expiresAt === null || expiresAt > now) && snapshot.directory.user(inviterId)?.isActive === true;
    });
    return valid.reverse().map((document) => this.view(document));
  }

  private view(document: InvitationDocument): Record<string, unknown> {
    const { _id: id, email, inviterId, role, notifyInviter, sentAt, expiresAt } = document;
    const common = {
      id,
      invited_by_user_id: inviterId,
      invited: sentAt,
      expiry_date: expiresAt,
      invited_as: role,
    };
    return email === null
      ? { ...common, is_multiuse: true, link_url: this.links.toLink(id) }
      : { ...common, is_multiuse: false, email, notify_referrer_on_join: notifyInviter };
  }
}
