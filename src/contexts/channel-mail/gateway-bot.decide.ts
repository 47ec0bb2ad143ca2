import type { UserEvent } from '../../events/users.js';
import { idAtRevision } from '../../kernel/ids.js';
import { systemBotRegistered } from '../organization/first-events.decide.js';
import { emailGateway } from '../../access/system-bots.js';
import type { UserDirectory } from '../users/users.state.js';

/** Creates the account of the e-mail gateway; no events if it exists. */
export function decideGatewayBot(state: UserDirectory, emailDigest: string): readonly UserEvent[] {
  if (state.idsByEmailDigest.has(emailDigest)) return [];
  const { email, fullName } = emailGateway;
  return [systemBotRegistered(idAtRevision(state.nextRevision), { email, emailDigest, fullName })];
}
