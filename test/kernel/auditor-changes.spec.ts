import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Directory } from '../../src/access/directory.js';
import { AuditorChanges, type AuditorChange } from '../../src/audit/reactors/auditor-changes.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.js';
import { atTheTime } from '../support/given.js';
import { logOver } from '../support/log-over.js';
import { TestOrganization } from '../support/organization.js';

const DAY = 86_400_000;

/** An organization with an owner and a member, whose auditors are the owners and a group without members. */
class Scene {
  readonly organization: TestOrganization;
  readonly owner: number;
  readonly ada: number;
  readonly group: number;
  readonly changes: AuditorChanges;

  constructor(settings: ConstructorParameters<typeof TestOrganization>[0] = {}) {
    this.organization = new TestOrganization(settings);
    this.owner = this.organization.register({ role: 100 });
    this.ada = this.organization.register();
    this.group = this.organization.group([]);
    this.changes = new AuditorChanges(logOver(this.organization.log));
    this.permitted([this.group, systemGroupIds.owners]);
  }

  happened<Event extends DomainEvent>(stream: string, event: Event, at = atTheTime): RecordedEvent<Event> {
    return this.organization.log.append(stream, [event], { at })[0]!;
  }

  /** Groups become those whose members may read the log. */
  permitted(groupIds: readonly number[]): RecordedEvent {
    const can_audit_group = { direct_members: [], direct_subgroups: [...groupIds] };
    const data = { permissions: { can_audit_group }, previousPermissions: { can_audit_group: 7 } };
    return this.happened('organization', { type: 'OrganizationPermissionsChanged', data });
  }

  members(added: readonly number[], removed: readonly number[] = []): RecordedEvent {
    const data = { groupId: this.group, added, removed };
    return this.happened('groups', { type: 'UserGroupMembersChanged', data });
  }

  role(userId: number, role: number): RecordedEvent {
    return this.happened('users', { type: 'UserRoleChanged', data: { userId, role, previousRole: null } });
  }

  /** Something that an event says of an account or a group alone. */
  about(stream: string, type: string, data: object): RecordedEvent {
    return this.happened(stream, { type, data });
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

const told = ({ came, left }: AuditorChange): object => ({ came, left });

describe('What an event changed about who may read the log', () => {
  it('is found for the permission, with the people who were owners', async () => {
    const scene = new Scene();
    const { owner, ada, changes } = scene;
    const other = scene.organization.register({ role: 100 });
    const given = scene.permitted([systemGroupIds.members]);
    expect(await changes.by(given)).toEqual({ came: [ada], left: [], ownerIds: [owner, other] });
    const same = scene.permitted([systemGroupIds.members]);
    expect(await changes.by(same)).toEqual({ came: [], left: [], ownerIds: [owner, other] });
  });

  it('is found for members and subgroups of a group', async () => {
    const scene = new Scene();
    const { organization, owner, ada, group, changes } = scene;
    expect(await changes.by(scene.members([ada]))).toEqual({ came: [ada], left: [], ownerIds: [owner] });
    expect(told(await changes.by(scene.members([], [ada])))).toEqual({ came: [], left: [ada] });
    const inner = organization.group([ada]);
    const nest = (added: readonly number[], removed: readonly number[]): RecordedEvent =>
      scene.about('groups', 'UserGroupSubgroupsChanged', { groupId: group, added, removed });
    expect(told(await changes.by(nest([inner], [])))).toEqual({ came: [ada], left: [] });
    expect(told(await changes.by(nest([], [inner])))).toEqual({ came: [], left: [ada] });
  });

  it('is found for a group that is deactivated and reactivated', async () => {
    const scene = new Scene();
    const { ada, group, changes } = scene;
    scene.members([ada]);
    const off = scene.about('groups', 'UserGroupDeactivated', { groupId: group });
    expect(told(await changes.by(off))).toEqual({ came: [], left: [ada] });
    const on = scene.about('groups', 'UserGroupReactivated', { groupId: group });
    expect(told(await changes.by(on))).toEqual({ came: [ada], left: [] });
  });

  it('is nothing for a group of others, which is told to nobody', async () => {
    const scene = new Scene();
    const groupId = scene.organization.group([]);
    const data = { groupId, added: [scene.ada], removed: [] };
    const change = await scene.changes.by(scene.about('groups', 'UserGroupMembersChanged', data));
    expect(change).toEqual({ came: [], left: [], ownerIds: [] });
  });

  it('is found for accounts that come, get another role, and go', async () => {
    const scene = new Scene();
    const { organization, owner, ada, changes } = scene;
    const cleo = organization.register({ role: 100 });
    const registered = organization.log.events.at(-1)!;
    expect(await changes.by(registered)).toEqual({ came: [cleo], left: [], ownerIds: [owner] });
    expect(await changes.by(scene.role(ada, 100))).toEqual({
      came: [ada],
      left: [],
      ownerIds: [owner, cleo],
    });
    const off = scene.about('users', 'UserDeactivated', { userId: cleo });
    expect(told(await changes.by(off))).toEqual({ came: [], left: [cleo] });
    const on = scene.about('users', 'UserReactivated', { userId: cleo });
    expect(await changes.by(on)).toEqual({ came: [cleo], left: [], ownerIds: [owner, ada] });
    scene.about('users', 'UserDeactivated', { userId: cleo });
    const erased = scene.about('erasures', 'PersonErased', { userId: cleo });
    expect(await changes.by(erased)).toMatchObject({ came: [], left: [] });
  });

  it('takes no look at every account where somebody else comes, changes and goes', async () => {
    const scene = new Scene();
    const { organization, changes } = scene;
    const bo = organization.register();
    const events = [
      organization.log.events.at(-1)!,
      scene.role(bo, 300),
      scene.about('users', 'UserDeactivated', { userId: bo }),
    ];
    const users = jest.spyOn(Directory.prototype, 'users');
    for (const event of events) expect(await changes.by(event)).toEqual({ came: [], left: [], ownerIds: [] });
    expect(users).not.toHaveBeenCalled();
  });

  it('names as owner the one who stops being one', async () => {
    const scene = new Scene();
    const { owner, ada, changes } = scene;
    scene.role(ada, 100);
    const stepsDown = scene.role(owner, 400);
    expect(await changes.by(stepsDown)).toEqual({ came: [], left: [owner], ownerIds: [owner, ada] });
    const leaves = scene.about('users', 'UserDeactivated', { userId: ada });
    expect(await changes.by(leaves)).toEqual({ came: [], left: [ada], ownerIds: [ada] });
  });

  it('is found for the waiting period, but not for other settings', async () => {
    const scene = new Scene({ waiting_period_threshold: 2 });
    const { owner, ada, changes } = scene;
    scene.permitted([systemGroupIds.fullMembers]);
    const set = (settings: object): RecordedEvent => {
      const data = { settings, previousSettings: {} };
      return scene.happened('organization', { type: 'OrganizationSettingsChanged', data }, atTheTime + DAY);
    };
    const shorter = set({ waiting_period_threshold: 1 });
    expect(await changes.by(shorter)).toEqual({ came: [ada], left: [], ownerIds: [owner] });
    const other = set({ message_content_edit_limit_seconds: 60 });
    expect(await changes.by(other)).toEqual({ came: [], left: [], ownerIds: [] });
  });
});

describe('The answer for an event', () => {
  /** Events of every kind, each of which changes something. */
  function eventful(): { readonly scene: Scene; readonly events: readonly RecordedEvent[] } {
    const scene = new Scene();
    const { ada, owner, group } = scene;
    const events = [
      scene.members([ada]),
      scene.about('groups', 'UserGroupDeactivated', { groupId: group }),
      scene.about('groups', 'UserGroupReactivated', { groupId: group }),
      scene.role(ada, 100),
      scene.role(owner, 400),
      scene.members([], [ada]),
      scene.permitted([systemGroupIds.members]),
      scene.about('users', 'UserDeactivated', { userId: ada }),
    ];
    return { scene, events };
  }

  it('is the same in whichever order events are asked for, and again', async () => {
    const { scene, events } = eventful();
    const rising = new Map<string, AuditorChange>();
    for (const event of events) rising.set(event.id, await scene.changes.by(event));
    for (const event of [...events].reverse()) {
      expect(await scene.changes.by(event)).toEqual(rising.get(event.id));
      expect(await scene.changes.by(event)).toEqual(rising.get(event.id));
    }
  });

  it('is the same when a later and an earlier event are asked for concurrently', async () => {
    const { scene, events } = eventful();
    const expected: AuditorChange[] = [];
    for (const event of events)
      expected.push(await new AuditorChanges(logOver(scene.organization.log)).by(event));
    for (let later = 1; later < events.length; later += 1) {
      for (let earlier = 0; earlier < later; earlier += 1) {
        const changes = new AuditorChanges(logOver(scene.organization.log));
        await changes.by(events[earlier]!);
        const asked = [later, earlier === 0 ? 0 : earlier - 1];
        const answers = await Promise.all(asked.map((index) => changes.by(events[index]!)));
        expect(answers).toEqual(asked.map((index) => expected[index]));
      }
    }
  });
});
