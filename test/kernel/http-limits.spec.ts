import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AuditController } from '../../src/audit/audit.controller.js';
import { CaseTasksController } from '../../src/audit/cases/case-tasks.controller.js';
import { OwnDataController } from '../../src/audit/own-data/own-data.controller.js';
import { ProofsController } from '../../src/audit/proofs/proofs.controller.js';
import { OperationsController } from '../../src/operations/http/operations.controller.js';
import { budgets } from '../../src/kernel/budgets.js';
import { LoginAttempts } from '../../src/http/limits/login-attempts.js';
import { RateLimiter, RateLimitError, SlidingWindow } from '../../src/http/limits/rate-limiter.js';
import { RequestLimits } from '../../src/http/limits/request-limits.js';
import { standIn } from '../support/stand-in.js';

describe('A sliding window', () => {
  it('allows exactly the limit in any window, as a list of all times would', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), steps, (limit, gaps) => {
        const window = new SlidingWindow(limit, 50);
        const accepted: number[] = [];
        let now = 1_000;
        for (const gap of gaps) {
          now += gap;
          const recent = accepted.filter((time) => time > now - 50);
          expect(window.countAt(now)).toBe(recent.length);
          expect(window.freeAt(now)).toBe(recent.length === 0 ? now : recent[0]! + 50);
          if (recent.length === limit) continue;
          window.add(now);
          accepted.push(now);
        }
      }),
    );
  });

  it('does not delay anybody when the clock is set back', () => {
    const window = new SlidingWindow(1, 50);
    window.add(10_000);
    expect(window.countAt(9_000)).toBe(0);
  });
});

describe('A person and their bots', () => {
  /** Bots have ids above 100. */
  const ownerOf = (userId: number): number => userId % 100;

  function limitsOf(rateLimitPerMinute: number): (userId: number) => Record<string, unknown> {
    const limits = new RequestLimits({ rateLimitPerMinute }, { now: () => 1_000 }, ownerOf);
    return (userId) => {
      const headers: Record<string, unknown> = {};
      const reply = { header: (name: string, value: unknown) => (headers[name] = value) };
      limits.countRequest(standIn({ state: { caller: { userId } } }), standIn(reply));
      return headers;
    };
  }

  it('may send a multiple of what each account may', () => {
    const send = limitsOf(2);
    const { max } = budgets.requestsOfOwner;
    for (let bot = 1; bot < max; bot += 1) {
      expect(send(100 * bot + 1)).toMatchObject({ 'x-ratelimit-limit': 2, 'x-ratelimit-remaining': 1 });
      send(100 * bot + 1);
    }
    expect(() => send(101)).toThrow(RateLimitError);
    expect(send(1)).toMatchObject({ 'x-ratelimit-remaining': 1 });
    expect(send(900 + 1)).toMatchObject({ 'x-ratelimit-limit': 2 * max, 'x-ratelimit-remaining': 0 });
    expect(() => send(1)).toThrow(RateLimitError);
    expect(() => send(900 + 1)).toThrow(RateLimitError);
    expect(send(2)).toMatchObject({ 'x-ratelimit-limit': 2, 'x-ratelimit-remaining': 1 });
  });

  it('have no limit if requests are not limited', () => {
    expect(limitsOf(0)(1)).toEqual({});
  });
});

describe('A rate limiter', () => {
  it('counts each key by itself and tells when the next is free', () => {
    const clock = { time: 5_000, now: () => clock.time };
    const limiter = new RateLimiter({ limit: 2, milliseconds: 1_000 }, clock);
    expect(limiter.take('a')).toMatchObject({ allowed: true, limit: 2, remaining: 1, resetAt: 6_000 });
    clock.time = 5_400;
    expect(limiter.take('a')).toMatchObject({ allowed: true, remaining: 0, resetAt: 6_000 });
    expect(limiter.take('a')).toMatchObject({ allowed: false, remaining: 0, resetAt: 6_000 });
    expect(limiter.take('b')).toMatchObject({ allowed: true });
    clock.time = 6_000;
    expect(limiter.take('a')).toMatchObject({ allowed: true, remaining: 0, resetAt: 6_400 });
  });

  it('does not count requests that it refuses', () => {
    const clock = { time: 0, now: () => clock.time };
    const limiter = new RateLimiter({ limit: 1, milliseconds: 1_000 }, clock);
    limiter.take(1);
    clock.time = 999;
    expect(limiter.take(1).allowed).toBe(false);
    clock.time = 1_000;
    expect(limiter.take(1).allowed).toBe(true);
  });

  it('allows everything at a limit of 0', () => {
    const limiter = new RateLimiter({ limit: 0, milliseconds: 1_000 }, { now: () => 0 });
    for (let call = 0; call < 1_000; call += 1) expect(limiter.take(1).allowed).toBe(true);
  });
});

describe('Log-ins by password', () => {
  const five = ['1', '2', '3', '4', '5'];

  it('are refused after five wrong passwords within half an hour, however the name is written', () => {
    const clock = { time: 0, now: () => clock.time };
    const logins = new LoginAttempts({ rateLimitPerMinute: 200 }, clock);
    for (const _attempt of five) logins.begin('Ada@Example.com');
    expect(() => logins.begin(' ada@example.com')).toThrow(RateLimitError);
    logins.begin('bo@example.com');
    clock.time = 30 * 60_000;
    logins.begin('ada@example.com');
  });

  it('count from their start, so that many guesses at once gain nothing', () => {
    const logins = new LoginAttempts({ rateLimitPerMinute: 200 }, { now: () => 0 });
    const guesses = Array.from({ length: 50 }, () => {
      try {
        logins.begin('ada@example.com');
        return 'tried';
      } catch {
        return 'refused';
      }
    });
    expect(guesses.filter((guess) => guess === 'tried')).toHaveLength(5);
  });

  it('of strangers do not keep a person who is logged in from confirming by password', () => {
    const logins = new LoginAttempts({ rateLimitPerMinute: 200 }, { now: () => 0 });
    for (const _attempt of five) logins.begin('ada@example.com');
    for (const _attempt of five) logins.begin(9);
    expect(() => logins.begin(9)).toThrow(RateLimitError);
    expect(() => logins.begin('9')).not.toThrow();
  });

  it('start afresh after a right password', () => {
    const logins = new LoginAttempts({ rateLimitPerMinute: 200 }, { now: () => 0 });
    for (const _attempt of five) logins.begin('ada@example.com');
    logins.succeed('ada@example.com');
    logins.begin('ada@example.com');
  });
});

it.each([
  ['the overview', OperationsController, 'readOverview'],
  ['operations', OperationsController, 'readOperations'],
  ['read models and dead letters', AuditController, 'readModels'],
  ['proofs', ProofsController, 'read'],
  ['tasks of a case', CaseTasksController, 'list'],
  ['one task of a case', CaseTasksController, 'read'],
  ['the copy of what is stored about the caller', OwnDataController, 'read'],
])(
  'The console asks for the status of %s beside the limit of other requests',
  (_what, { prototype }, method) => {
    const handler = Reflect.get(prototype, method) as object;
    expect(Reflect.getMetadata('palimpsest:counted-apart', handler)).toBe('status');
  },
);
