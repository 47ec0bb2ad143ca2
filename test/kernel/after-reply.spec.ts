import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AfterReply } from '../../src/http/after-reply.js';
import {
  RequestPasswordReset,
  RequestPasswordResetHandler,
} from '../../src/contexts/account-links/commands/account-links.js';
import { RequestSignUp, RequestSignUpHandler } from '../../src/contexts/invitations/commands/joining.js';
import { atTheTime } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('work after the reply', () => {
  it('does not start before the reply, and finishes before the process ends', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const done: string[] = [];
    const after = new AfterReply({ error: () => done.push('failed') });
    after.run(async () => void done.push('asked for'));
    after.run(() => Promise.reject(new Error('no store')));
    expect(done).toEqual([]);
    expect(timers.mock.calls.map(([, milliseconds]) => Number(milliseconds) > 0)).toEqual([true, true]);
    await after.onApplicationShutdown();
    expect(done.sort()).toEqual(['asked for', 'failed']);
  });
});

describe('asking for a new password', () => {
  it('looks up no account before the reply, whether there is one or not', async () => {
    const later: (() => Promise<void>)[] = [];
    const did: string[] = [];
    const dependencies = [
      {
        snapshot: () => ({ directory: null, now: atTheTime }),
        decideAs: async () => void did.push('write'),
      },
      {
        find: (_directory: unknown, email: string) => {
          did.push('look');
          return email === 'ada@example.com' ? { id: 3, isActive: true, bot: null } : null;
        },
      },
      { run: (task: () => Promise<void>) => later.push(task) },
    ];
    const handler = Reflect.construct(
      RequestPasswordResetHandler,
      dependencies,
    ) as RequestPasswordResetHandler;
    for (const email of ['ada@example.com', 'nobody@example.com'])
      await handler.execute(new RequestPasswordReset(email, 'test'));
    expect([did, later.length]).toEqual([[], 2]);
    for (const task of later) await task();
    expect(did).toEqual(['look', 'write', 'look']);
  });
});

describe('asking to join', () => {
  it('looks up no account before the reply, and does the same work whether there is one or not', async () => {
    const organization = new TestOrganization({ invite_required: false });
    const { directory } = organization.snapshot();
    const later: (() => Promise<void>)[] = [];
    const did: string[] = [];
    const person = organization.register();
    const known = organization.snapshot().directory.user(person)!;
    const watched = Object.create(directory, {
      organization: { value: directory.organization },
      userByEmailDigest: {
        value: (digest: string) => {
          did.push('look');
          return digest === known.emailDigest ? known : null;
        },
      },
    }) as typeof directory;
    const dependencies = [
      {},
      {
        snapshot: () => ({ directory: watched, now: atTheTime }),
        decideAs: async () => void did.push('invite'),
      },
      {},
      { digest: (email: string) => `digest of ${email}` },
      { perDay: 0, maxMinutes: null, minutes: null },
      { run: (task: () => Promise<void>) => later.push(task) },
    ];
    const handler = Reflect.construct(RequestSignUpHandler, dependencies) as RequestSignUpHandler;
    for (const email of [known.email, 'nobody@example.com']) {
      await handler.execute(new RequestSignUp({ token: null, email }, 'test'));
    }
    expect([did, later.length]).toEqual([[], 2]);
    for (const task of later) await task();
    expect(did).toEqual(['look', 'look', 'invite']);
  });
});
