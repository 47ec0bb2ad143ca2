import { describe, expect, it } from '@jest/globals';
import { PresenceBoard } from '../../src/contexts/presence/presence-board.js';
import { OFFLINE_AFTER, REMEMBERED_FOR, unseen } from '../../src/contexts/presence/presence.js';
import {
  legacyPresence,
  slimPresence,
  visiblePresences,
  wholePresence,
} from '../../src/contexts/presence/presence.view.js';
import { atTheTime as now } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const minute = 60_000;

describe('presence', () => {
  it('is active while the person does something, and idle while only a client is open', () => {
    const board = new PresenceBoard();
    board.report(3, 'active', now);
    board.report(3, 'idle', now + minute);
    const presence = board.of(3)!;
    expect(presence).toEqual({ userId: 3, activeAt: now, connectedAt: now + minute });
    expect(legacyPresence(presence).aggregated).toMatchObject({ status: 'active', timestamp: now / 1000 });
    board.report(3, 'idle', now + 2 * minute);
    const { aggregated, website } = legacyPresence(board.of(3)!);
    expect(aggregated).toEqual({ client: 'website', status: 'idle', timestamp: now / 1000 + 120 });
    expect(website).toEqual({ ...aggregated, pushable: false });
  });

  it('is told with both times, also of somebody who did nothing since they joined', () => {
    const presence = { userId: 3, activeAt: null, connectedAt: now };
    expect(slimPresence(presence, { joinedAt: now - minute })).toEqual({
      active_timestamp: now / 1000 - 60,
      idle_timestamp: now / 1000,
    });
    expect(legacyPresence(presence).aggregated.status).toBe('idle');
  });

  it('is told to have ended also of who joined just now', () => {
    const { active_timestamp, idle_timestamp } = slimPresence(unseen(3, now), { joinedAt: now - 2000 });
    expect(Math.max(active_timestamp, idle_timestamp)).toBeLessThan((now - OFFLINE_AFTER) / 1000);
  });

  it('begins when a person comes back, not with every report', () => {
    const board = new PresenceBoard();
    const came = (status: 'active' | 'idle', at: number): boolean => board.report(3, status, at).cameOnline;
    expect(came('idle', now)).toBe(false);
    expect(came('active', now + minute)).toBe(true);
    expect(came('active', now + 2 * minute)).toBe(false);
    expect(came('idle', now + 20 * minute)).toBe(false);
    expect(came('active', now + 21 * minute)).toBe(true);
  });

  it('is asked for by what changed since an answer, and by age', () => {
    const board = new PresenceBoard();
    board.report(3, 'active', now);
    board.report(4, 'active', now);
    const seen = board.lastUpdateId;
    board.report(3, 'idle', now + minute);
    const changed = (after: number, since: number): number[] =>
      [...board.changedSince(after, since)].map(({ userId }) => userId);
    expect(changed(-1, 0)).toEqual([4, 3]);
    expect(changed(seen, 0)).toEqual([3]);
    expect(changed(board.lastUpdateId, 0)).toEqual([]);
    expect(changed(-1, now + minute)).toEqual([3]);
  });

  it('counts its updates from where a process before it left off at the latest', () => {
    const before = new PresenceBoard();
    for (let times = 0; times < 100; times += 1) before.report(3, 'active', now);
    const after = new PresenceBoard();
    after.report(4, 'active', now + minute);
    expect(after.lastUpdateId).toBeGreaterThan(before.lastUpdateId);
  });

  it('is forgotten after a fortnight', () => {
    const board = new PresenceBoard();
    board.report(3, 'active', now);
    board.report(4, 'active', now + REMEMBERED_FOR);
    expect(board.of(3)).not.toBeNull();
    board.report(4, 'active', now + REMEMBERED_FOR + 1);
    expect(board.of(3)).toBeNull();
  });

  it('is learnt from other processes, where they know more', () => {
    const board = new PresenceBoard();
    board.report(3, 'active', now);
    const { lastUpdateId } = board;
    board.merge({ userId: 3, activeAt: null, connectedAt: now - minute }, now + minute);
    expect([board.of(3)?.connectedAt, board.lastUpdateId]).toEqual([now, lastUpdateId]);
    board.merge({ userId: 3, activeAt: null, connectedAt: now + minute }, now + minute);
    expect(board.of(3)).toEqual({ userId: 3, activeAt: now, connectedAt: now + minute });
    expect(board.lastUpdateId).toBeGreaterThan(lastUpdateId);
  });

  it('is seen of active people who let others see it', () => {
    const organization = new TestOrganization();
    const [seen, hidden, gone] = [organization.register(), organization.register(), organization.register()];
    organization.happened({ type: 'UserDeactivated', data: { userId: gone } });
    organization.log.append(`user-${hidden}`, [
      { type: 'UserSettingChanged', data: { userId: hidden, setting: 'presence_enabled', value: false } },
    ]);
    const board = new PresenceBoard();
    for (const userId of [seen, hidden, gone]) board.report(userId, 'active', now);
    const shown = visiblePresences(
      { board, snapshot: organization.snapshot(now), knows: () => true },
      wholePresence(true),
    );
    expect(shown).toEqual({
      presences: { [seen]: { active_timestamp: now / 1000, idle_timestamp: now / 1000 } },
      server_timestamp: now / 1000,
      presence_last_update_id: board.lastUpdateId,
    });
  });
});
