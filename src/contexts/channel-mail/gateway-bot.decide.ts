import type { UserEvent } from '../../events/users.js';
import { idAtRevision } from '../../kernel/ids.js';
import { systemBotRegistered } from '../organization/first-events.js';
import { emailGateway } from '../../access/system-bots.js';
import type { UserDirectory } from '../users/users.state.js';

/** Makes the server's own account in whose name mail becomes messages; no events where it exists. */
export function decideGatewayBot(state: UserDirectory, emailDigest: string): readonly UserEvent[] {
  if (state.idsByEmailDigest.has(emailDigest)) return [];
  const { email, fullName } = emailGateway;
  return [systemBotRegistered(idAtRevision(state.nextRevision), { email, emailDigest, fullName })];
}
