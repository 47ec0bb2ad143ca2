import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { invitationsModel, type InvitationDocument } from '../read-model.js';
import type { Caller } from '../../../http/caller.js';
import { toSeconds } from '../../../kernel/clock.js';
import { ServingModels } from '../../../stores/read-store/serving-models.js';
import { isAdministrator, isWithinRole } from '../../../access/records/roles.js';
import { Decisions } from '../../../http/decisions.js';
import { assertMayHaveInvited } from '../inviting.decide.js';
import { JoinLinks } from '../join-links.js';

/** How many are listed, the latest: older ones come up as those are accepted or revoked. */
const maxListed = 5000;

/**
 * The invitations that stand: all for administrators, their own for others (facts, section 2, "POST /invites"). Who has a link can
 * join by it: links that make more than the caller is are left out.
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

  /** @throws ApplicationError `botsNotAllowed`, `guestsNotAllowed`: others may have invited when they were allowed to */
  async execute({ caller }: GetInvitations): Promise<readonly Record<string, unknown>[]> {
    const { snapshot, user: inviter } = this.decisions.actor(caller);
    assertMayHaveInvited(inviter);
    const { name, collections } = invitationsModel;
    const model = await this.models.get(name, collections);
    const found = await model
      .collection<InvitationDocument>('invitations')
      .find(isAdministrator(inviter) ? {} : { inviterId: inviter.id }, {
        sort: { _id: -1 },
        limit: maxListed,
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
