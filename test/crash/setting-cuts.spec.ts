import { describe, expect, it } from '@jest/globals';
import { EmailChange } from '../../src/contexts/account-links/commands/account-links.js';
import { LoginAttempts } from '../../src/http/limits/login-attempts.js';
import { ChangeSettings, ChangeSettingsHandler } from '../../src/contexts/settings/commands/settings.js';
import { PasswordChange } from '../../src/contexts/users/password-change.js';
import { owner } from '../support/people-node.js';
import { cutEverywhere } from './support/cut-everywhere.js';
import type { NodeProcess } from './support/node-process.js';

const old = 'correct horse';
const wanted = {
  settings: { color_scheme: 2, enter_sends: true },
  fullName: 'Bo Beam',
  email: 'bo.beam@example.com',
  password: { old, new: 'battery staple' },
} as const;

/** Asks for all of it at once. */
async function change({ people, clock }: NodeProcess, userId: number): Promise<void> {
  const { decisions, credentials, emails } = people;
  const attempts = new LoginAttempts({ rateLimitPerMinute: 0 }, clock);
  const handler = new ChangeSettingsHandler(
    decisions,
    new PasswordChange(decisions, credentials, attempts, people.passwords),
    new EmailChange(decisions, emails),
  );
  await handler.execute(new ChangeSettings({ ...owner, userId }, wanted));
}

describe('Cut off before any of its durable writes,', () => {
  it('a change of settings, name, address and password is finished by asking for it again', async () => {
    const writes = await cutEverywhere({
      given: (process) => process.people.createUser('bo@example.com', old),
      when: change,
      then: async (process, userId, cut) => {
        const { follower, credentials } = process.people;
        const isDone = await credentials.isPassword(userId, wanted.password.new);
        expect(isDone).toBe(cut === null);
        if (!isDone) await change(process, userId);
        const directory = follower.current();
        expect(directory.user(userId)?.fullName).toBe('Bo Beam');
        expect(directory.settings.of(userId)).toMatchObject(wanted.settings);
        expect(await credentials.isPassword(userId, wanted.password.new)).toBe(true);
        const page = { from: 0, limit: 100 };
        const events = await process.stores.log.readStream(`user-${userId}`, page);
        const types = events.map(({ type }) => type);
        expect(types.filter((type) => type === 'UserSettingChanged')).toHaveLength(2);
        expect(types).toContain('EmailChangeRequested');
      },
    });
    expect(writes.filter((write) => write === 'append')).toHaveLength(4);
    expect(writes.at(-1)).toBe('setPasswordHash');
  });
});
