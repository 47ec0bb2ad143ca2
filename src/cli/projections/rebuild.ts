import { projectionNamed } from '../../../projections/engine/model-versions.js';
import { projections as registry } from '../../../projections/registry.js';
import type { RebuildProgress } from '../../operations/rebuilds.js';
import { exitCodes, MisusedError, type CommandAction } from '../command.js';
import { versionLabel } from '../../operations/projection-report.js';
import { ask } from './steering.js';
import { RebuildShare } from './rebuild-share.js';

/** The arguments and options of `palimpsest projections rebuild`. */
interface RebuildParameters {
  readonly models: readonly string[];
  readonly all?: boolean;
  readonly throttle?: number;
}

/** What `palimpsest projections rebuild` does. */
export const rebuildModels: CommandAction<RebuildParameters> = async (
  parameters,
  { configuration, terminal },
) => {
  const names = parameters.all === true ? registry.map(({ name }) => name) : parameters.models;
  if (names.length === 0) throw new MisusedError('Name the read models to rebuild, or say --all.');
  names.forEach((name) => projectionNamed(name, registry));
  const progress = terminal.progress(`Rebuilding ${names.join(', ')}`, null);
  const done = new RebuildShare(names.length);
  const applied = new Map<string, number>();
  const rebuilt = await ask(configuration, {
    command: 'projections rebuild',
    parameters: { projections: names, eventsPerSecond: parameters.throttle ?? null },
    onProgress: (said) => {
      const one = said as RebuildProgress;
      done.note(one, one.head);
      applied.set(one.projection, one.events);
      progress.set(
        [...applied.values()].reduce((sum, events) => sum + events, 0),
        done.share,
      );
    },
  });
  progress.end();
  for (const one of rebuilt as readonly { readonly projection: string; readonly version: number }[]) {
    const { projection, version } = one;
    await terminal.print(
      terminal.json ? JSON.stringify(one) : `${projection}: version ${versionLabel(version)} serves.`,
    );
  }
  return exitCodes.done;
};
