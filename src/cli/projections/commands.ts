import { Command } from 'commander';
import { deadLetterCommands } from './dead-letters.command.js';
import { rebuildCommand } from './rebuild.command.js';
import { snapshotsCommand } from './snapshots.command.js';
import { statusCommand } from './status.command.js';
import { steeringCommands } from './steering.js';
import { verifyCommand } from './verify.command.js';

/** What operators do with the read models. */
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
