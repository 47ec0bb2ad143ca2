import { Command } from 'commander';
import { atCommand } from './at.js';
import { checkCommand } from './check.js';
import { exportCommand } from './export.js';
import { historyCommand } from './history.js';
import { importCommand } from './import.js';
import { logCommand } from './log.js';
import { sealCommand } from './seal.js';
import { verifyCommand } from './verify.js';

/** What auditors do with the log. */
export function auditCommands(): Command {
  const audit = new Command('audit')
    .summary('read, prove and export the log')
    .description('For auditors: reads the log, proves that nobody changed it, and shows the past as it was.');
  for (const add of [
    logCommand,
    historyCommand,
    atCommand,
    verifyCommand,
    sealCommand,
    checkCommand,
    exportCommand,
    importCommand,
  ])
    add(audit);
  return audit;
}
