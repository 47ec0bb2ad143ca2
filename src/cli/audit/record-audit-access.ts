import { RECORD_AUDIT_ACCESS } from '../../audit/commands/audit-access.js';
import type { AuditedAccess } from '../../audit/commands/audit-access.decide.js';
import { wholeLog } from '../../audit/log/requested-selection.js';
import type { Configuration } from '../../config.js';
import { askRunningServer } from '../../operations/control-socket.js';
import { OperatorError } from '../../kernel/errors.js';
import { operatorAccount } from '../operator-account.js';
import type { Terminal } from '../terminal.js';

/** What is recorded of an access. A filter that is absent did not restrict it. */
export interface OperatorAccess extends Pick<AuditedAccess, 'view' | 'asked' | 'text'> {
  readonly selection?: Partial<AuditedAccess['selection']>;
}

/** The context of the command that reads the log. */
interface AccessContext {
  readonly configuration: Configuration;
  readonly terminal: Terminal;
}

/**
 * Records an access to the log before anything is shown: in the running server or, if none runs, in this process. It cannot stop somebody who
 * has the files and the keys, so a log that cannot be written, such as a copy, is shown with a remark that nothing was recorded.
 */
export async function recordAuditAccess(
  { configuration, terminal }: AccessContext,
  access: OperatorAccess,
): Promise<void> {
  const { view, asked, text, selection = {} } = access;
  const noted: AuditedAccess = {
    view,
    selection: { ...wholeLog, ...selection },
    ...(asked !== undefined && Object.keys(asked).length > 0 && { asked }),
    ...(text !== undefined && { text }),
  };
  const parameters = { access: noted, operator: operatorAccount() };
  try {
    const answer = await askRunningServer(configuration.dataDirectory, {
      command: RECORD_AUDIT_ACCESS,
      parameters,
    });
    if (answer === null)
      await (await import('./record-audit-access-here.js')).recordAuditAccessHere(configuration, parameters);
    else if (!answer.ok) terminal.say(unrecorded(answer.message));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    terminal.say(unrecorded(error.message));
  }
}

function unrecorded(reason: string): string {
  return `This access could not be recorded in the log: ${reason.replace(/\.$/, '')}.`;
}
