import { describe, expect, it } from '@jest/globals';
import { FollowSessions } from '../../src/audit/commands/follow-sessions.js';
import { budgets } from '../../src/kernel/budgets.js';
import { SystemClock } from '../../src/runtime/system-clock.js';

class TestClock extends SystemClock {
  time = 0;

  override now(): number {
    return this.time;
  }
}

describe('Sessions of people who follow the log', () => {
  it('takes looks that come one after another, from there or further on, for one', () => {
    const clock = new TestClock();
    const followSessions = new FollowSessions(clock);
    const look = (after: number, userId = 3, asked = 'all'): boolean =>
      followSessions.continues({ userId, asked, after });
    expect([look(10), look(10), look(25), look(12)]).toEqual([false, true, true, true]);
    expect([look(30, 4), look(30, 3, 'else')]).toEqual([false, false]);
    clock.time += 60_000;
    expect(look(40)).toBe(true);
    clock.time += 60_001;
    expect([look(40), look(41)]).toEqual([false, true]);
  });

  it('takes a look further back for another, from which on it then goes', () => {
    const followSessions = new FollowSessions(new TestClock());
    const look = (after: number): boolean => followSessions.continues({ userId: 3, asked: 'all', after });
    expect([look(10), look(9), look(9), look(10)]).toEqual([false, false, true, true]);
  });

  it('forgets one that could not be recorded, and the oldest of too many', () => {
    const followSessions = new FollowSessions(new TestClock());
    const look = (userId: number): boolean => followSessions.continues({ userId, asked: 'all', after: 0 });
    look(1);
    followSessions.forget({ userId: 1, asked: 'all' });
    expect(look(1)).toBe(false);
    for (let userId = 2; userId <= budgets.followSessions.max + 1; userId += 1) look(userId);
    expect([look(1), look(budgets.followSessions.max)]).toEqual([false, true]);
  });
});
