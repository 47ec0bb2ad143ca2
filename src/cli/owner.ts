import type { Configuration } from '../config.js';
import {
  askRunningServer,
  ERASE_PERSON_COMMAND,
  REACTIVATE_ORGANIZATION_COMMAND,
  RESET_OWNER_KEY_COMMAND,
} from '../operations/control-socket.js';
import type { RebuildsUnderWay } from '../operations/rebuilds.js';
import { CommandFailedError, exitCodes, type CommandAction } from './command.js';
import { confirm, type Confirmed } from './confirmation.js';
import { operatorAccount } from './operator-account.js';
import type { Progress } from './progress-line.js';
import { RebuildShare } from './projections/rebuild-share.js';

/** What `palimpsest owner reset-key` does. */
export const resetKey: CommandAction<object> = async (_parameters, { configuration, terminal }) => {
  const message = await recoverKey(configuration);
  await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
  return exitCodes.done;
};

async function recoverKey(configuration: Configuration): Promise<string> {
  const answer = await askRunningServer(configuration.dataDirectory, RESET_OWNER_KEY_COMMAND);
  if (answer === null) return (await import('./owner-reset-key-here.js')).resetKeyHere(configuration);
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return String(answer.message);
}

/** What `palimpsest owner reactivate-organization` does. */
export const reactivateOrganization: CommandAction<object> = async (
  _parameters,
  { configuration, terminal },
) => {
  const answer = await askRunningServer(configuration.dataDirectory, {
    command: REACTIVATE_ORGANIZATION_COMMAND,
    parameters: { operator: operatorAccount() },
  });
  if (answer === null) throw new CommandFailedError('No server runs on DATA_DIR: start it first.');
  if (!answer.ok) throw new CommandFailedError(answer.message);
  const message = String(answer.message);
  await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
  return exitCodes.done;
};

/** The arguments and options of `palimpsest owner erase-person`. */
interface ErasePersonParameters extends Confirmed {
  /** An id or an e-mail address. */
  readonly who: string;
}

/** What `palimpsest owner erase-person` does. */
export const erasePerson: CommandAction<ErasePersonParameters> = async (
  parameters,
  { configuration, terminal },
) => {
  const { who } = parameters;
  await confirm(
    `The personal data of "${who}" and everything they wrote will be erased permanently.`,
    parameters,
  );
  const progress = terminal.progress('Rebuilding the read models', null);
  const answer = await askRunningServer(configuration.dataDirectory, {
    command: ERASE_PERSON_COMMAND,
    parameters: { person: who, operator: operatorAccount() },
    onProgress: showing(progress),
  });
  progress.end();
  if (answer === null) throw new CommandFailedError('No server runs on DATA_DIR: start it first.');
  if (!answer.ok) throw new CommandFailedError(answer.message);
  const message = String(answer.message);
  await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
  return exitCodes.done;
};

/** Shows how much of the rebuild of all read models is done. */
function showing(progress: Progress): (said: unknown) => void {
  let done: RebuildShare | null = null;
  const applied = new Map<string, number>();
  return (said) => {
    const { builds, models, head } = said as RebuildsUnderWay;
    done ??= new RebuildShare(models);
    for (const build of builds) {
      done.note(build, head);
      applied.set(build.projection, build.events);
    }
    done.finishBut(builds);
    progress.set(
      [...applied.values()].reduce((sum, events) => sum + events, 0),
      done.share,
    );
  };
}
