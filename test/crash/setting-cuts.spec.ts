import { describe, expect, it } from '@jest/globals';
import { AccountLinks } from '../../src/contexts/account-links/account-links.js';
import { EmailChanges } from '../../src/contexts/account-links/email-changes.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { LoginAttempts } from '../../src/http/limits/login-attempts.js';
import { LinkTokens } from '../../src/stores/key-store/link-tokens.js';
import { PublicAddress } from '../../src/contexts/organization/public-address.js';
import {
  ChangeSettings,
  ChangeSettingsHandler,
} from '../../src/contexts/settings/commands/change-settings.js';
import { SettingChanges } from '../../src/contexts/settings/setting-changes.js';
import { PasswordChange } from '../../src/contexts/users/password-change.js';
import { owner } from '../support/people-node.js';
import { cutEverywhere } from './support/cut-everywhere.js';
import { type NodeProcess, site } from './support/node-process.js';

const old = 'correct horse';
const wanted = {
  settings: { color_scheme: 2, enter_sends: true },
  fullName: 'Bo Beam',
  email: 'bo.beam@example.com',
  password: { old, new: 'battery staple' },
} as const;

/** Asks for all of it at once. */
async function change({ stores, people, clock }: NodeProcess, userId: number): Promise<void> {
  const { accounts, credentials, emails } = people;
  const streams = new FoldedStreams(stores.log);
  const links = new AccountLinks(streams, new LinkTokens(stores.vault), new PublicAddress(site), clock);
  const attempts = new LoginAttempts({ rateLimitPerMinute: 0 }, clock);
  const handler = new ChangeSettingsHandler(
    new SettingChanges(streams, accounts),
    accounts,
    new PasswordChange(accounts, credentials, attempts, people.passwords),
    new EmailChanges(links, accounts, emails),
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
