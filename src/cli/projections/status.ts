import type { Configuration } from '../../config.js';
import { MAX_COUNTED, type ProjectionReport, versionLabel } from '../../operations/projection-report.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import type { ReactorReport } from '../../operations/reactor-report.js';
import { tableOf, type Terminal } from '../terminal.js';
import { askRunningServer } from '../../operations/control-socket.js';

/** What `palimpsest projections status` does. */
export const showStatus: CommandAction<object> = async (_parameters, { configuration, terminal }) => {
  const reports = await statusOf(configuration);
  if (terminal.json) for (const report of reports) await terminal.print(JSON.stringify(report));
  else for (const line of tableOf(headings, reports.map(cellsOf))) await terminal.print(line);
  for (const { projection, lastError } of reports) {
    if (lastError !== null && !terminal.json) await terminal.print(`${projection}: ${lastError}`);
  }
  const reactors = await reactorsOf(configuration);
  await showReactors(reactors, terminal);
  const isAmiss = [...reports, ...reactors].some(({ state }) => state === 'halted' || state === 'unseen');
  return isAmiss ? exitCodes.faultsFound : exitCodes.done;
};

async function showReactors(reactors: readonly ReactorReport[], terminal: Terminal): Promise<void> {
  if (terminal.json) {
    for (const report of reactors) await terminal.print(JSON.stringify(report));
    return;
  }
  if (reactors.length === 0) return;
  await terminal.print('');
  for (const line of tableOf(reactorHeadings, reactors.map(reactorCellsOf))) await terminal.print(line);
  for (const { reactor, lastError } of reactors) {
    if (lastError !== null) await terminal.print(`${reactor}: ${lastError}`);
  }
}

/** Reactors run only in a server. */
async function reactorsOf(configuration: Configuration): Promise<readonly ReactorReport[]> {
  const answer = await askRunningServer(configuration.dataDirectory, 'reactors status');
  if (answer?.ok === false) throw new CommandFailedError(answer.message);
  return (answer?.message ?? []) as readonly ReactorReport[];
}

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

const reactorHeadings = ['reactor', 'state', 'checkpoint', 'lag', 'halted at'];

function reactorCellsOf({ reactor, state, checkpoint, lagEvents, poison }: ReactorReport): readonly string[] {
  return [
    reactor,
    state,
    String(checkpoint ?? '-'),
    lagEvents === null ? '-' : `${shownCount(lagEvents)} events`,
    poison === null ? '-' : `${poison.type} at position ${poison.position}`,
  ];
}

function shownCount(events: number): string {
  return events === MAX_COUNTED ? `${MAX_COUNTED}+` : String(events);
}

/** “0.0 s”, “12 min”, “3 h”, “514 d”. */
function shownAge(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

function cellsOf(report: ProjectionReport): readonly string[] {
  const { lagEvents, lagSeconds, bytes, otherVersions, building } = report;
  return [
    report.projection,
    report.state ?? 'elsewhere',
    report.servingLabel,
    String(report.checkpoint ?? '-'),
    `${shownCount(lagEvents)} events, ${shownAge(lagSeconds)}`,
    report.eventsPerSecond.toFixed(1),
    bytes === null ? '-' : `${(bytes / 1_048_576).toFixed(1)} MiB`,
    otherVersions.map(versionLabel).join(', ') || '-',
    building === null ? '-' : `${building.label} at ${building.position ?? 0}`,
  ];
}
