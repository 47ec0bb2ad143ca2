import type { Configuration } from '../../config.js';
import { MOST_COUNTED, type ProjectionReport } from '../../operations/projection-report.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import { askRunningServer } from '../control-socket.js';
import { tableOf } from '../table.js';

/** What `palimpsest projections status` does. */
export const showStatus: CommandAction<object> = async (_parameters, { configuration, terminal }) => {
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
  return (await import('./report-here.js')).reportHere(configuration);
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
