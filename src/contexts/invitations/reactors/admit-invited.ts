import { Injectable } from '@nestjs/common';
import { ModelBehindError, type Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { NoticeSender } from '../../channels/notices.js';
import { ChannelStreams } from '../../channels/channel-streams.js';
import { decideDefaultSubscription } from '../../channels/subscribing.decide.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import type { EventMetadata, Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { Decisions } from '../../../http/decisions.js';
import { Vault } from '../../../stores/key-store/vault.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { UserRegistered } from '../../../events/users.js';
import { foldedGroups } from '../../users/user-groups.state.js';
import { invitationKey } from '../../../events/invitations.js';
import { promisedStill } from '../inviting.decide.js';
import { InvitationsReader } from '../invitations-reader.js';
import { foldedInvitations, type Invitation } from '../invitations.state.js';
import { customWelcome, joinedNotice, welcomeText } from '../welcome.view.js';
import { decideRevokeAll, decideAccepted, decidePromisedGroups } from '../joining.decide.js';

const NAME = 'admit-invited';

export type Registered = Recorded<typeof UserRegistered>;

/**
 * Gives new accounts what their invitation promised, and revokes other invitations to their address. Each
 * promised thing is on a stream of its own; the registration, which claims the address, names the invitation
 * as its cause. The command's handler calls it before it replies; as a reactor it catches up after a crash.
 */
@Injectable()
@RunsAsReactor()
export class AdmitInvited implements Reactor {
  readonly name = NAME;
  readonly on = on(UserRegistered, (event) => this.admit(event));

  constructor(
    private readonly invitations: InvitationsReader,
    private readonly channels: ChannelStreams,
    private readonly decisions: Decisions,
    private readonly notices: NoticeSender,
    private readonly follower: DirectoryFollower,
    private readonly vault: Vault,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Does what is not done yet. May be called any number of times, concurrently too: it is done once.
   *
   * @throws ModelBehindError when this node's directory does not include the account yet; the engine then retries
   */
  async admit(registered: Registered): Promise<void> {
    const { byId, idsByEventId } = await this.invitations.all();
    const invitation = byId.get(idsByEventId.get(registered.metadata.causationId ?? '') ?? 0);
    if (invitation === undefined) return this.revokeAll(registered);
    await this.follower.waitForEvent(registered);
    await this.accept(invitation, registered);
    await this.subscribe(invitation, registered);
    await this.addToGroups(invitation, registered);
    await this.greet(invitation, registered);
    // From now on only the account holds the address.
    await this.vault.destroy([invitationKey(invitation.id)]);
  }

  /** A person who got an account in another way needs no invitation any more. */
  private async revokeAll(registered: Registered): Promise<void> {
    const { bot, emailDigest } = registered.data;
    if (bot !== null) return;
    await this.decisions.record(this.metadata(registered, 'revoked'), foldedInvitations, (state) =>
      decideRevokeAll(state, emailDigest),
    );
  }

  private async accept({ id }: Invitation, registered: Registered): Promise<void> {
    const { userId } = registered.data;
    await this.decisions.record(this.metadata(registered, 'accepted'), foldedInvitations, (state) =>
      decideAccepted(state, { invitationId: id, userId }),
    );
  }

  private async subscribe({ inviterId, terms }: Invitation, registered: Registered): Promise<void> {
    const { userId } = registered.data;
    const snapshot = this.decisions.snapshot();
    const { directory } = snapshot;
    const promised = promisedStill(snapshot, inviterId, terms);
    const defaults = [...directory.channels()].filter(({ isDefault }) => isDefault).map(({ id }) => id);
    const channelIds = new Set([...promised.channelIds, ...(terms.includeDefaultChannels ? defaults : [])]);
    const afterMessageId = await this.channels.lastMessageId();
    for (const channelId of channelIds) {
      if (directory.channel(channelId)?.isArchived !== false) continue;
      await this.channels.inChannel(channelId, this.metadata(registered, `channel ${channelId}`), (state) =>
        decideDefaultSubscription(state, { channelId, userId, afterMessageId, causeId: registered.id }),
      );
    }
  }

  private async addToGroups({ inviterId, terms }: Invitation, registered: Registered): Promise<void> {
    const { groupIds } = promisedStill(this.decisions.snapshot(), inviterId, terms);
    if (groupIds.length === 0) return;
    const { userId } = registered.data;
    await this.decisions.record(this.metadata(registered, 'groups'), foldedGroups, (state) =>
      decidePromisedGroups(state, { groupIds, userId }),
    );
  }

  private async greet(invitation: Invitation, registered: Registered): Promise<void> {
    const directory = this.follower.current();
    const { userId } = registered.data;
    const to = { userIds: [userId] };
    const settings = directory.organization?.settings;
    if (settings === undefined) throw new ModelBehindError('The directory');
    await this.notices.send({
      from: 'welcome',
      to,
      content: welcomeText(settings),
      causationId: registered.id,
    });
    const making = await this.invitations.making(invitation.id);
    const custom = customWelcome(settings, making.data.welcomeText);
    if (custom !== null) {
      await this.notices.send({ from: 'welcome', to, content: custom, causationId: making.id });
    }
    const inviter = invitation.inviterId === null ? null : directory.user(invitation.inviterId);
    const user = directory.user(userId);
    if (!invitation.notifyInviter || inviter?.isActive !== true || user === null) return;
    const content = joinedNotice(user, settings);
    await this.notices.send({ to: { userIds: [inviter.id] }, content, causationId: registered.id });
  }

  private metadata({ id, metadata, data }: Registered, effect: string): EventMetadata {
    return {
      ...metadata,
      actorId: data.userId,
      commandId: commandIdOf([NAME, id, effect]),
      causationId: id,
      at: this.clock.now(),
    };
  }
}
