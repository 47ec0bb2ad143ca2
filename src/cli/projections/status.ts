import type { Command } from 'commander';
import { projections as registry } from '../../../projections/registry.js';
import type { Configuration } from '../../config.js';
import {
  MOST_COUNTED,
  reportProjections,
  type ProjectionReport,
} from '../../operations/projection-report.js';
import { openProjectionStores } from '../../stores.js';
import { CommandFailedError, exitCodes, runs, type CommandAction } from '../command.js';
import { askRunningServer } from '../control-socket.js';
import { tableOf } from '../table.js';

/** `palimpsest projections status` */
export function statusCommand(projections: Command): void {
  const status = projections
    .command('status')
    .summary('show how every read model is doing')
    .description(
      'Shows of every read model what is being done for it, the version that serves, how far it has followed the log, how far it lags in events and seconds, how many events it applies in a second, how much room it takes, and what keeps it from going on. The running server has the same figures at /metrics and /health/ready.',
    )
    .addHelpText('after', '\nExits with 3 when a read model stands before an event that it cannot apply.');
  runs(status, showStatus);
}

const showStatus: CommandAction<object> = async (_parameters, { configuration, terminal }) => {
  const reports = await statusOf(configuration);
  if (terminal.json) for (const report of reports) await terminal.print(JSON.stringify(report));
  else for (const line of tableOf(headings, reports.map(cellsOf))) await terminal.print(line);
  for (const { projection, lastError } of reports) {
    if (lastError !== null && !terminal.json) await terminal.print(`${projection}: ${lastError}`);
  }
  return reports.some(({ state }) => state === 'halted') ? exitCodes.amiss : exitCodes.done;
};

async function statusOf(configuration: Configuration): Promise<readonly ProjectionReport[]> {
  const answer = await askRunningServer(configuration.dataDirectory, 'projections status');
  if (answer?.ok === false) throw new CommandFailedError(answer.message);
  if (answer !== null) return answer.message as readonly ProjectionReport[];
  const stores = await openProjectionStores(configuration);
  try {
    const { readStore, log } = stores;
    return await reportProjections({ readStore, eventStore: log.store, projections: registry });
  } finally {
    await stores.close();
  }
}

const headings = [
  'model',
  'state',
  'version',
  'checkpoint',
  'lag',
  'events/s',
  'size',
  'other versions',
  'building',
];

function cellsOf(report: ProjectionReport): readonly string[] {
  const { lagEvents, lagSeconds, bytes, otherVersions, building } = report;
  return [
    report.projection,
    report.state ?? 'elsewhere',
    String(report.servingVersion ?? '-'),
    String(report.checkpoint ?? '-'),
    `${lagEvents === MOST_COUNTED ? `${MOST_COUNTED}+` : lagEvents} events, ${lagSeconds.toFixed(1)} s`,
    report.eventsPerSecond.toFixed(1),
    bytes === null ? '-' : `${(bytes / 1_048_576).toFixed(1)} MiB`,
    otherVersions.join(' ') || '-',
    building === null ? '-' : `${building.version} at ${building.position ?? 0}`,
  ];
}
