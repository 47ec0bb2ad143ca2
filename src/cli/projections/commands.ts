import { Command } from 'commander';
import { runs, wholeNumber } from '../command.js';
import { withConfirmation } from '../confirmation.js';
import { steeringCommands } from './steering.js';

/** Defines `palimpsest projections status`. */
function statusCommand(projections: Command): void {
  const status = projections
    .command('status')
    .summary('show the state of every read model and reactor')
    .description(
      'Shows for every read model the running operation, the version that serves, its checkpoint, its lag in events and seconds, the events applied per second, its size, and the event at which it is halted, with the reason; and for every reactor of the running server the event at which it is halted, with the reason. The running server has the same values at /metrics and /health/ready.',
    )
    .addHelpText(
      'after',
      '\nExits with 3 if a read model or a reactor is halted at an event that it cannot process.',
    );
  runs(status, async () => (await import('./status.js')).showStatus);
}

/** Defines `palimpsest projections rebuild`. */
function rebuildCommand(projections: Command): void {
  const rebuild = projections
    .command('rebuild')
    .argument('[models...]', 'names of read models')
    .summary('rebuild read models, while the present versions serve')
    .description(
      'Builds new versions of read models from the log, in separate threads, two at a time, while the present versions serve. A new version serves as soon as it has caught up: no request fails or sees older data. The previous version is kept for a rollback. If a rebuild was interrupted, even by a power failure, it continues when the server starts or the command is run again.',
    )
    .option('--all', 'rebuild all read models')
    .option(
      '--throttle <events>',
      'apply at most this many events per second to each read model',
      wholeNumber,
    )
    .addHelpText(
      'after',
      `
Examples:
  palimpsest projections rebuild messages
  palimpsest projections rebuild --all --throttle 2000`,
    );
  runs(rebuild, async () => (await import('./rebuild.js')).rebuildModels);
}

/** Defines `palimpsest projections verify`. */
function verifyCommand(projections: Command): void {
  const verify = projections
    .command('verify')
    .argument('[models...]', 'names of read models; absent: all')
    .summary('compare read models with rebuilt ones')
    .description(
      'Rebuilds read models from the log in a temporary folder, and compares the versions that serve with them, by digest and document by document. The server can run meanwhile. Lists the documents that differ.',
    )
    .addHelpText('after', '\nExits with 3 if documents differ or events were discarded, and lists them.');
  runs(verify, async () => (await import('./verify.js')).verifyModels);
}

/** Defines `palimpsest projections snapshots`. */
function snapshotsCommand(projections: Command): void {
  const snapshots = projections
    .command('snapshots')
    .summary('show the snapshots of state of long streams')
    .description(
      'Shows the snapshots of state in DATA_DIR, which let the server load a long stream without reading it from the beginning: the stream, the revision, the time and the size of each. The server makes and replaces snapshots automatically. They are encrypted, and the erasure of a person makes them unreadable.',
    )
    .option('--drop', 'delete all snapshots: the next command on each stream reads it from the beginning');
  runs(snapshots, async () => (await import('./snapshots.js')).showSnapshots);
}

const letters = () => import('./dead-letters.js');

const HALTED_AT = 'id of the event; absent: the one at which the model is halted';

/** `palimpsest projections dead-letters list | show | retry | discard | restore` */
function deadLetterCommands(projections: Command): void {
  const group = projections
    .command('dead-letters')
    .summary('events that read models cannot apply')
    .description(
      'A read model is halted at an event that it cannot apply, a reactor (reactor:<name>) at an event that it cannot process; both retry from time to time. Fix the program and restart it, or retry, or discard the event: the read model, and every rebuild of it, then continues as if the event did not exist, until it is restored.',
    );
  runs(
    group
      .command('list')
      .summary('list the events at which read models and reactors are halted, and discarded events'),
    async () => (await letters()).listLetters,
  );
  runs(
    forModel(group, 'show', 'show the stored event at which a read model is halted'),
    async () => (await letters()).showLetter,
  );
  const retry = forModel(group, 'retry', 'retry the event at once').argument('[event]', HALTED_AT);
  runs(retry, async () => (await letters()).retryEvent);
  const discard = forModel(group, 'discard', 'discard the event and continue with the next one');
  runs(withConfirmation(discard.argument('[event]', HALTED_AT)), async () => (await letters()).discardEvent);
  const restore = group
    .command('restore')
    .argument('<model>', 'name of the read model')
    .argument('[event]', 'id of a discarded event; absent: all discarded events')
    .summary('restore discarded events')
    .description(
      'Restores discarded events. A read model is rebuilt with them, while the present version serves; versions without them are deleted. A reactor processes them now.',
    );
  runs(restore, async () => (await letters()).restoreEvents);
}

function forModel(group: Command, verb: string, summary: string): Command {
  return group
    .command(verb)
    .argument('<model>', 'name of the read model')
    .summary(summary)
    .description(`${summary}.`);
}

/** The commands about read models. */
export function projectionsCommands(): Command {
  const projections = new Command('projections')
    .summary('watch, rebuild and repair the read models')
    .description(
      'For operators: the read models are built from the log and contain only data that is derived from it. They can be rebuilt at any time while the server runs.',
    );
  for (const add of [
    statusCommand,
    rebuildCommand,
    verifyCommand,
    steeringCommands,
    deadLetterCommands,
    snapshotsCommand,
  ]) {
    add(projections);
  }
  return projections;
}
