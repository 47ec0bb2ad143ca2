import { Command } from 'commander';
import { runs, wholeNumber } from '../command.js';
import { withConfirmation } from '../confirmation.js';
import { steeringCommands } from './steering.js';

/** Defines `palimpsest projections status`. */
function statusCommand(projections: Command): void {
  const status = projections
    .command('status')
    .summary('show how every read model and reactor is doing')
    .description(
      'Shows of every read model what is being done for it, the version that serves, how far it has followed the log, how far it lags in events and seconds, how many events it applies in a second, how much room it takes, and what keeps it from going on; and of every reactor of the running server which event it stands before, and why. The running server has the same figures at /metrics and /health/ready.',
    )
    .addHelpText(
      'after',
      '\nExits with 3 when a read model stands before an event that it cannot apply, or a reactor before one that it cannot act on.',
    );
  runs(status, async () => (await import('./status.js')).showStatus);
}

/** Defines `palimpsest projections rebuild`. */
function rebuildCommand(projections: Command): void {
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
  runs(rebuild, async () => (await import('./rebuild.js')).rebuildModels);
}

/** Defines `palimpsest projections verify`. */
function verifyCommand(projections: Command): void {
  const verify = projections
    .command('verify')
    .argument('[models...]', 'names of read models; none: all')
    .summary('compare live read models with ones rebuilt from nothing')
    .description(
      'Rebuilds read models from the log in a folder for temporary files, and compares the live ones with them, by digest and document by document. The server can go on meanwhile. Documents that differ are named.',
    )
    .addHelpText('after', '\nExits with 3 when anything differs, or an event was given up: each is named.');
  runs(verify, async () => (await import('./verify.js')).verifyModels);
}

/** Defines `palimpsest projections snapshots`. */
function snapshotsCommand(projections: Command): void {
  const snapshots = projections
    .command('snapshots')
    .summary('show the snapshots of long streams')
    .description(
      'Shows what the server keeps in DATA_DIR so that its first command on a long stream need not read it from the beginning: of which stream, up to which revision, since when, and how large. Snapshots are made and replaced by themselves. They are sealed, and whatever erases a person makes them unreadable.',
    )
    .option('--drop', 'remove them all: the next command on each stream reads it from the beginning');
  runs(snapshots, async () => (await import('./snapshots.js')).showSnapshots);
}

const letters = () => import('./dead-letters.js');

/** `palimpsest projections dead-letters list | show | retry | discard | restore` */
function deadLetterCommands(projections: Command): void {
  const group = projections
    .command('dead-letters')
    .summary('events that read models cannot apply')
    .description(
      'A read model stops before an event that it cannot apply, a reactor (reactor:<name>) before one that it cannot act on, and tries again from time to time. Mend the program and restart it, or try again, or give the event up: then the model, and whatever is rebuilt of it, goes on as if the event were not there, until it is restored.',
    );
  runs(
    group.command('list').summary('show what read models stand before, and what was given up'),
    async () => (await letters()).listLetters,
  );
  runs(
    forModel(group, 'show', 'show the event that a read model stands before, as it is stored'),
    async () => (await letters()).showLetter,
  );
  runs(forModel(group, 'retry', 'try the event again at once'), async () => (await letters()).retryEvent);
  runs(
    withConfirmation(forModel(group, 'discard', 'give the event up and go on behind it')),
    async () => (await letters()).discardEvent,
  );
  const restore = group
    .command('restore')
    .argument('<model>', 'name of the read model')
    .argument('[event]', 'id of an event that was given up; absent: all of them')
    .summary('take it back that events were given up')
    .description(
      'Takes it back that events were given up. A read model is built anew with them, beside what serves; versions without them are dropped. A reactor acts on them now.',
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
      'For operators: the read models, which are made of the log and hold nothing that it does not. They can be rebuilt at any time while the server goes on answering.',
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
