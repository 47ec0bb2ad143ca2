import type { Command } from 'commander';
import { runs } from '../command.js';
import { withConfirmation } from '../confirmation.js';

const letters = () => import('./dead-letters.js');

/** `palimpsest projections dead-letters list | show | retry | discard | restore` */
export function deadLetterCommands(projections: Command): void {
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
