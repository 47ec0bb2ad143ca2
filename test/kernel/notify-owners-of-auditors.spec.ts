import { describe, expect, it } from '@jest/globals';
import { NotifyOwnersOfAuditors } from '../../src/audit/reactors/notify-owners-of-auditors.js';
import type { Notice } from '../../src/contexts/channels/notices.js';
import type { GroupSetting } from '../../src/events/values/group-setting.js';
import { limits } from '../../src/events/values/organization-defaults.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { logOver } from '../support/log-over.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';

/** An organization with an owner, and the reactor that tells owners of auditors. */
class Scene {
  readonly organization = new TestOrganization();
  readonly owner = this.organization.register({ role: 100, fullName: 'Olga' });
  readonly sent: Notice[] = [];
  /** How many notices fail before one is sent. */
  failures = 0;
  private readonly reactor: NotifyOwnersOfAuditors;

  constructor() {
    const follower = {
      waitForEvent: () => Promise.resolve(),
      current: () => this.organization.snapshot().directory,
    };
    const send = (notice: Notice): Promise<number> => {
      this.failures -= 1;
      if (this.failures >= 0) return Promise.reject(new Error('The log does not answer'));
      return Promise.resolve(this.sent.push(notice));
    };
    const log = logOver(this.organization.log);
    this.reactor = new NotifyOwnersOfAuditors(log, standIn(follower), standIn({ send }));
  }

  /** Lets the reactor handle an event that the owner caused. */
  async happened(stream: string, type: string, data: object): Promise<RecordedEvent> {
    const { log } = this.organization;
    const event: RecordedEvent = log.append(stream, [{ type, data }], { actorId: this.owner })[0]!;
    await this.handle(event);
    return event;
  }

  async handle(event: RecordedEvent): Promise<void> {
    await this.reactor.on[event.type]!(event);
  }

  permitted(can_audit_group: GroupSetting, before: GroupSetting = 7): Promise<RecordedEvent> {
    return this.happened('organization', 'OrganizationPermissionsChanged', {
      permissions: { can_audit_group },
      previousPermissions: { can_audit_group: before },
    });
  }

  /** Ids of new members. */
  members(count: number, fullName = (index: number): string => `Person ${index}`): number[] {
    return Array.from({ length: count }, (_, index) =>
      this.organization.register({ fullName: fullName(index) }),
    );
  }

  /** What was told, without the ids in mentions. */
  get told(): readonly string[] {
    return this.sent.map(({ content }) => content.replaceAll(/@_\*\*([^|*]+)(\|\d+)?\*\*/g, '$1'));
  }
}

const WHAT = 'Olga changed who may read the log of this organization, with every message in it';

describe('The notice to owners about auditors', () => {
  it('names the first twenty people in each list', async () => {
    const scene = new Scene();
    scene.members(20);
    await scene.permitted(3);
    const names = Array.from({ length: 20 }, (_, index) => `Person ${index}`).join(', ');
    expect(scene.told).toEqual([`${WHAT}: now members, instead of owners. New auditors: ${names}.`]);
    scene.members(2);
    await scene.permitted(7, 3);
    expect(scene.told[1]).toBe(
      `${WHAT}: now owners, instead of members. No longer auditors: ${names} and 2 others.`,
    );
  });

  it('fits into a message with all four lists, however many and long the names are', async () => {
    const scene = new Scene();
    const longest = (index: number): string => '`'.repeat(limits.fullName - 3) + String(100 + index);
    const [before, after] = [scene.members(60, longest), scene.members(60, longest)];
    const former = { direct_members: before, direct_subgroups: [7] };
    await scene.permitted(former);
    await scene.permitted({ direct_members: after, direct_subgroups: [7] }, former);
    const content = scene.sent[1]!.content;
    expect(content.length).toBeLessThan(limits.message);
    expect(content).toMatch(/: now owners, .+ others, instead of owners, .+ others\. New auditors: /);
    expect(content).toMatch(/New auditors: .+ and \d+ others\. No longer auditors: .+ and \d+ others\.$/);
  });

  it('is sent again to all after a failure, with the same text and the same cause', async () => {
    const scene = new Scene();
    scene.members(1);
    await scene.permitted(3);
    scene.sent.length = 0;
    scene.failures = 1;
    await expect(scene.permitted(7, 3)).rejects.toThrow('does not answer');
    expect(scene.sent).toEqual([]);
    const event = scene.organization.log.events.at(-1)!;
    await scene.handle(event);
    await scene.handle(event);
    expect(scene.told[0]).toBe(`${WHAT}: now owners, instead of members. No longer auditors: Person 0.`);
    expect(scene.sent[0]).toMatchObject({ causationId: event.id, purpose: 'auditors' });
    expect(scene.sent[1]).toEqual(scene.sent[0]);
  });

  it('goes to every active owner, also to one who stops being one, but not to former accounts', async () => {
    const scene = new Scene();
    const ada = scene.organization.register({ role: 100, fullName: 'Ada' });
    await scene.happened('users', 'UserRoleChanged', { userId: ada, role: 400, previousRole: 100 });
    expect(scene.sent.map(({ to }) => to)).toEqual([{ userIds: [scene.owner] }, { userIds: [ada] }]);
    expect(scene.told[0]).toBe(`${WHAT}. No longer auditors: Ada.`);
    const bo = scene.organization.register({ role: 100, fullName: 'Bo' });
    await scene.happened('users', 'UserDeactivated', { userId: bo });
    expect(scene.sent.slice(2).map(({ to }) => to)).toEqual([{ userIds: [scene.owner] }]);
  });

  it('does not say that people who join made themselves auditors', async () => {
    const scene = new Scene();
    const { log } = scene.organization;
    const group = scene.organization.group([]);
    await scene.permitted({ direct_members: [], direct_subgroups: [group, 7] });
    scene.sent.length = 0;
    scene.organization.register({ role: 100, fullName: 'Ada' });
    await scene.handle(log.events.at(-1)!);
    const [bea] = scene.members(1, () => 'Bea');
    const registered = log.events.at(-1)!;
    await scene.handle(registered);
    const data = { groupId: group, added: [bea], removed: [] };
    const promised = { type: 'UserGroupMembersChanged', data };
    const metadata = { actorId: bea!, causationId: registered.id };
    await scene.handle(log.append('groups', [promised], metadata)[0]!);
    const joined = 'A person joined who may read the log of this organization, with every message in it';
    expect([...new Set(scene.told)]).toEqual([
      `${joined}. New auditors: Ada.`,
      `${joined}. New auditors: Bea.`,
    ]);
  });
});
