import { TestOrganization } from './organization.js';

/** An organization with one account of each role, a bot of the member and a system bot. */
export function staffed(
  ...settings: ConstructorParameters<typeof TestOrganization>
): TestOrganization &
  Record<'owner' | 'administrator' | 'moderator' | 'member' | 'guest' | 'bot' | 'systemBot', number> {
  const organization = new TestOrganization(...settings);
  const systemBot = organization.register({ bot: { type: 1, ownerId: null, isSystem: true } });
  const owner = organization.register({ role: 100 });
  const administrator = organization.register({ role: 200 });
  const moderator = organization.register({ role: 300 });
  const member = organization.register({ role: 400 });
  const guest = organization.register({ role: 600 });
  const bot = organization.register({
    fullName: 'Relay',
    bot: { type: 1, ownerId: member, isSystem: false },
  });
  return Object.assign(organization, { systemBot, owner, administrator, moderator, member, guest, bot });
}
