import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Directory } from '../../access/directory.js';
import { groupSettingNames, silentMention } from '../../contexts/channels/notice-texts.js';
import { NoticeSender } from '../../contexts/channels/notices.js';
import { OrganizationPermissionsChanged } from '../../events/organization.js';
import { UserGroupMembersChanged } from '../../events/user-groups.js';
import { UserRegistered } from '../../events/users.js';
import type { Recorded, RecordedEvent } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { AuditorChanges, auditorEvents, type AuditorChange } from './auditor-changes.js';

/** Keeps these notices apart from others about the same event, such as that an invitation was accepted. */
const PURPOSE = 'auditors';

/** Limits of each of the four lists in a notice, which keep the notice below the maximum length of a message. */
const MAX_NAMED = 20;
const MAX_LIST_LENGTH = 2_000;

/**
 * Sends the owners a direct message when the permission to read the log, or the people who have it, change. The
 * owners are those just before the event: somebody who stops being one is told as well.
 */
@Injectable()
@RunsAsReactor()
export class NotifyOwnersOfAuditors implements Reactor {
  readonly name = 'tell-owners-of-auditors';
  readonly on = on(auditorEvents, (event: RecordedEvent) => this.notify(event));
  readonly skipsDecryption = true;
  private readonly changes: AuditorChanges;

  constructor(
    log: EventLog,
    private readonly follower: DirectoryFollower,
    private readonly sender: NoticeSender,
  ) {
    this.changes = new AuditorChanges(log);
  }

  private async notify(event: RecordedEvent): Promise<void> {
    const change = await this.changes.by(event);
    const setting = newSetting(event);
    if (setting === null && change.came.length + change.left.length === 0) return;
    await this.follower.waitForEvent(event);
    const directory = this.follower.current();
    const actor = silentMention(directory, event.metadata.actorId);
    const who = isJoining(event) ? 'A person joined who may' : `${actor} changed who may`;
    const what = `${who} read the log of this organization, with every message in it`;
    const content = `${what}${setting?.(directory) ?? ''}. ${peopleText(directory, change)}`.trimEnd();
    for (const id of change.ownerIds) {
      if (directory.user(id)?.isActive !== true) continue;
      await this.sender.send({ to: { userIds: [id] }, content, causationId: event.id, purpose: PURPOSE });
    }
  }
}

/**
 * Whether somebody joins on their own or by an invitation. Such a registration has no actor; the groups that an
 * invitation promised have the new person as the actor, who did not choose them, and the registration as the cause.
 */
function isJoining({ type, metadata }: RecordedEvent): boolean {
  if (type === UserRegistered.type) return metadata.actorId === null;
  return type === UserGroupMembersChanged.type && metadata.causationId !== null;
}

/** The text about a new value of the permission; null: the event does not set it. */
function newSetting(event: RecordedEvent): ((directory: Directory) => string) | null {
  if (event.type !== OrganizationPermissionsChanged.type) return null;
  const { data } = event as Recorded<typeof OrganizationPermissionsChanged>;
  const { can_audit_group: present } = data.permissions;
  const { can_audit_group: before } = data.previousPermissions;
  if (present === undefined) return null;
  return (directory) => {
    const former = before === undefined ? '' : `, instead of ${listed(groupSettingNames(directory, before))}`;
    return `: now ${listed(groupSettingNames(directory, present))}${former}`;
  };
}

function peopleText(directory: Directory, { came, left }: AuditorChange): string {
  const sentences: string[] = [];
  if (came.length > 0) sentences.push(`New auditors: ${names(directory, came)}.`);
  if (left.length > 0) sentences.push(`No longer auditors: ${names(directory, left)}.`);
  return sentences.join(' ');
}

function names(directory: Directory, userIds: readonly number[]): string {
  return listed(userIds.map((id) => silentMention(directory, id)));
}

/** As many of the names as the limits allow, at least one, and the number of the others. */
function listed(all: readonly string[]): string {
  let list = all[0]!;
  for (let count = 1; count < all.length; count += 1) {
    const longer = `${list}, ${all[count]!}`;
    if (count === MAX_NAMED || longer.length > MAX_LIST_LENGTH)
      return `${list} and ${all.length - count} others`;
    list = longer;
  }
  return list;
}
