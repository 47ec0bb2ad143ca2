import { Command } from 'commander';
import {
  atCommand,
  readersCommand,
  whoCouldSeeCommand,
  historyCommand,
  channelCommand,
  personCommand,
  logCommand,
} from './log.commands.js';
import { caseCommand } from './case.command.js';
import { checkCommand, sealCommand, verifyCommand } from './integrity.commands.js';
import { exportCommand, importCommand } from './transfer.commands.js';

/** The commands for auditors. */
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
