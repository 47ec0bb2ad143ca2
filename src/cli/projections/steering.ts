import type { Command } from 'commander';
import type { Configuration } from '../../config.js';
import { askRunningServer, type ControlRequest } from '../../operations/control-socket.js';
import { outcomes } from '../../operations/model-commands.js';
import { CommandFailedError, exitCodes, runs, type CommandAction } from '../command.js';
import { confirm, withConfirmation, type Confirmed } from '../confirmation.js';
import { operatorAccount } from '../operator-account.js';

/**
 * Carries out a command about read models in the running server or, if none runs, in this process.
 *
 * @throws CommandFailedError
 */
export async function ask(configuration: Configuration, asked: ControlRequest): Promise<unknown> {
  const request = { ...asked, parameters: { ...asked.parameters, operator: operatorAccount() } };
  const answer = await askRunningServer(configuration.dataDirectory, request);
  if (answer === null) return (await import('./carry-out.js')).carryOut(configuration, request);
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return answer.message;
}

interface Steering {
  readonly verb: string;
  readonly summary: string;
  readonly description: string;
  readonly told: (projection: string, answer: unknown) => string;
  /** Asked for confirmation; absent: the command can be undone. */
  readonly question?: (projection: string) => string;
}

const steerings: readonly Steering[] = [
  {
    verb: 'rollback',
    summary: 'let the previous version of a read model serve again',
    description:
      'Brings the previous version of a read model up to date and lets it serve again. The version that served until then is kept: a second rollback returns to it.',
    told: (projection, version) => `${projection}: ${outcomes.serves(version as number)}`,
  },
  {
    verb: 'drop',
    summary: 'delete the versions of a read model that do not serve',
    description:
      'Deletes every version of a read model that does not serve, including an unfinished rebuild.',
    question: (projection) => `Every version of ${projection} that does not serve will be removed for good.`,
    told: (projection, versions) => `${projection}: ${outcomes.dropped(versions as readonly number[])}`,
  },
  {
    verb: 'pause',
    summary: 'pause a read model',
    description:
      'Pauses a read model until it is resumed, even if the server is restarted meanwhile. Requests are still answered from it, with the data of the time when it was paused.',
    told: (projection) => `${projection}: ${outcomes.paused}`,
  },
  {
    verb: 'resume',
    summary: 'resume a paused read model',
    description: 'Resumes a paused read model.',
    told: (projection) => `${projection}: ${outcomes.resumed}`,
  },
];

/** `palimpsest projections rollback | drop | pause | resume` */
export function steeringCommands(projections: Command): void {
  for (const steering of steerings) {
    const { verb, summary, description, question } = steering;
    const command = projections
      .command(verb)
      .argument('<model>', 'name of the read model')
      .summary(summary)
      .description(description);
    if (question !== undefined) withConfirmation(command);
    runs(command, () => Promise.resolve(steer(steering)));
  }
}

function steer({ verb, told, question }: Steering): CommandAction<Confirmed & { readonly model: string }> {
  return async (parameters, { configuration, terminal }) => {
    const { model } = parameters;
    if (question !== undefined) await confirm(question(model), parameters);
    const request = { command: `projections ${verb}`, parameters: { projection: model } };
    const answer = await ask(configuration, request);
    await terminal.print(terminal.json ? JSON.stringify({ projection: model, answer }) : told(model, answer));
    return exitCodes.done;
  };
}
