import { Command } from 'commander';
import { atCommand } from './at.command.js';
import { readersCommand, whoCouldSeeCommand } from './audience.command.js';
import { caseCommand } from './case.command.js';
import { checkCommand } from './check.command.js';
import { exportCommand } from './export.command.js';
import { historyCommand } from './history.command.js';
import { importCommand } from './import.command.js';
import { channelCommand, personCommand } from './lives.command.js';
import { logCommand } from './log.command.js';
import { sealCommand } from './seal.command.js';
import { verifyCommand } from './verify.command.js';

/** What auditors do with the log. */
export function auditCommands(): Command {
  const audit = new Command('audit')
    .summary('read, prove and export the log')
    .description('For auditors: reads the log, proves that nobody changed it, and shows the past as it was.');
  for (const add of [
    logCommand,
    historyCommand,
    personCommand,
    channelCommand,
    whoCouldSeeCommand,
    readersCommand,
    atCommand,
    caseCommand,
    verifyCommand,
    sealCommand,
    checkCommand,
    exportCommand,
    importCommand,
  ])
    add(audit);
  return audit;
}
