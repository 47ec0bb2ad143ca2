import { NOTE_LOOK } from '../../audit/commands/operator-looks.js';
import type { LookedAt } from '../../audit/commands/audit-access.decide.js';
import { wholeLog } from '../../audit/requested-selection.js';
import type { Configuration } from '../../config.js';
import { askRunningServer } from '../../operations/control-socket.js';
import { OperatorError } from '../../kernel/errors.js';
import { operatorAccount } from '../operator-account.js';
import type { Terminal } from '../terminal.js';

/** What is looked at: what is left out was not narrowed down. */
export interface Look extends Pick<LookedAt, 'view' | 'asked'> {
  readonly selection?: Partial<LookedAt['selection']>;
}

/** Where a look is made. */
export interface Looking {
  readonly configuration: Configuration;
  readonly terminal: Terminal;
}

/**
 * Records a look into the log before anything is shown of it: by the running server, or, when none runs, here. Whoever has the files
 * and the keys sees what they hold all the same: of a log that cannot be written, such as a copy, it is said that nothing was recorded.
 */
export async function noteLook({ configuration, terminal }: Looking, look: Look): Promise<void> {
  const { view, asked, selection = {} } = look;
  const noted: LookedAt = {
    view,
    selection: { ...wholeLog, ...selection },
    ...(asked !== undefined && Object.keys(asked).length > 0 && { asked }),
  };
  const parameters = { look: noted, operator: operatorAccount() };
  try {
    const answer = await askRunningServer(configuration.dataDirectory, { command: NOTE_LOOK, parameters });
    if (answer === null) await (await import('./note-look-here.js')).noteLookHere(configuration, parameters);
    else if (!answer.ok) terminal.say(unrecorded(answer.message));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    terminal.say(unrecorded(error.message));
  }
}

function unrecorded(reason: string): string {
  return `This look could not be recorded in the log: ${reason.replace(/\.$/, '')}.`;
}
