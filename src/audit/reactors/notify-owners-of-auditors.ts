import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Directory } from '../../access/directory.js';
import { isOwner } from '../../access/records/roles.js';
import type { OrganizationPermissionsChanged } from '../../events/organization.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { groupSettingName, silentMention } from '../../contexts/channels/notice-texts.js';
import { NoticeSender } from '../../contexts/channels/notices.js';

type Changed = RecordedEvent<EventOf<typeof OrganizationPermissionsChanged>>;

/** Sends every owner a direct message when the people who may read the log change. */
@Injectable()
@RunsAsReactor()
export class NotifyOwnersOfAuditors implements Reactor {
  readonly name = 'tell-owners-of-auditors';
  readonly on = { OrganizationPermissionsChanged: (event: RecordedEvent) => this.notify(event as Changed) };

  constructor(
    private readonly follower: DirectoryFollower,
    private readonly sender: NoticeSender,
  ) {}

  private async notify(event: Changed): Promise<void> {
    await this.follower.waitForEvent(event);
    const directory = this.follower.current();
    const content = auditorsText(event, directory);
    if (content === null) return;
    const owners = [...directory.users()].filter(
      (user) => user.bot === null && user.isActive && isOwner(user),
    );
    for (const { id } of owners) {
      await this.sender.send({ to: { userIds: [id] }, content, causationId: event.id });
    }
  }
}

/** The text about a change; null: the change concerns other permissions. */
function auditorsText({ data, metadata: { actorId } }: Changed, directory: Directory): string | null {
  const { can_audit_group: present } = data.permissions;
  const { can_audit_group: before } = data.previousPermissions;
  if (present === undefined) return null;
  const former = before === undefined ? '' : `, instead of ${groupSettingName(directory, before)}`;
  return `${silentMention(directory, actorId)} changed who may read the log of this organization, with every message in it: now ${groupSettingName(directory, present)}${former}.`;
}
