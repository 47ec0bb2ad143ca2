import type { Command } from 'commander';
import { projectionNamed } from '../../../projections/engine/model-versions.js';
import { projections as registry } from '../../../projections/registry.js';
import type { RebuildProgress } from '../../operations/projection-operations.js';
import { exitCodes, MisusedError, runs, wholeNumber, type CommandAction } from '../command.js';
import { ask } from './asking.js';

interface RebuildParameters {
  readonly models: readonly string[];
  readonly all?: boolean;
  readonly throttle?: number;
}

/** `palimpsest projections rebuild` */
export function rebuildCommand(projections: Command): void {
  const rebuild = projections
    .command('rebuild')
    .argument('[models...]', 'names of read models')
    .summary('build read models anew, beside those that serve')
    .description(
      'Builds read models from the log, beside those that serve, in threads of their own; two at a time. When one has caught up it takes the other’s place: no request fails or sees what is older. What served until then is kept for a rollback. A rebuild that was interrupted, even by a power cut, goes on where it was: when the server starts, or when the command is given again.',
    )
    .option('--all', 'every read model')
    .option('--throttle <events>', 'apply at most so many events in a second to each', wholeNumber)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest projections rebuild messages
  palimpsest projections rebuild --all --throttle 2000`,
    );
  runs(rebuild, rebuildModels);
}

const rebuildModels: CommandAction<RebuildParameters> = async (parameters, { configuration, terminal }) => {
  const names = parameters.all === true ? registry.map(({ name }) => name) : parameters.models;
  if (names.length === 0) throw new MisusedError('Name the read models to rebuild, or say --all.');
  names.forEach((name) => projectionNamed(name, registry));
  const progress = terminal.progress(`Rebuilding ${names.join(', ')}`, null);
  const applied = new Map<string, number>();
  const rebuilt = await ask(configuration, {
    command: 'projections rebuild',
    parameters: { projections: names, eventsPerSecond: parameters.throttle ?? null },
    onProgress: (said) => {
      const { projection, events } = said as RebuildProgress;
      applied.set(projection, events);
      progress.set([...applied.values()].reduce((sum, one) => sum + one, 0));
    },
  });
  progress.end();
  for (const one of rebuilt as readonly { readonly projection: string; readonly version: number }[]) {
    const { projection, version } = one;
    await terminal.print(terminal.json ? JSON.stringify(one) : `${projection}: version ${version} serves.`);
  }
  return exitCodes.done;
};
