import type { Finding, VerificationReport } from '../../audit/verification/report.js';
import { verifyLog } from '../../audit/verification/verify-log.js';
import { eventCatalog } from '../../events.js';
import { projections } from '../../../projections/registry.js';
import type { Configuration } from '../../config.js';
import { storedCheckpoint } from '../../operations/projection-report.js';
import { ReadStoreUnavailableError, type ReadStore } from '../../read-store/port.js';
import { openLogToInspect, openReadStore } from '../../stores.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import type { Terminal } from '../terminal.js';
import { withLog } from './reading-log.js';
import { readStatement, signatureFault } from './statement-file.js';
import type { Vouched } from '../../audit/verification/report.js';
import type { EventCodec } from '../../event-store/codec.js';

/** What the command line says for `palimpsest audit verify`. */
export interface VerifyParameters {
  readonly seal?: readonly string[];
  readonly signer?: string;
  readonly keys: boolean;
}

/** What `palimpsest audit verify` does. */
export const verifyAll: CommandAction<VerifyParameters> = async (parameters, { configuration, terminal }) => {
  const vouched = await vouchedFor(parameters);
  // Before the log is read: what a running server appends meanwhile is not missing.
  const passed = await furthestCheckpoint(configuration, terminal);
  const inspection = await openLogToInspect(configuration);
  try {
    const head = await inspection.head();
    const check = async (codec: EventCodec | null): Promise<VerificationReport> => {
      const progress = terminal.progress('Verifying', head);
      const report = await verifyLog(inspection, {
        catalog: eventCatalog,
        codec,
        vouched,
        passed,
        onProgress: (position) => progress.set(position),
      });
      progress.end();
      return report;
    };
    const report = parameters.keys
      ? await withLog(configuration, ({ codec }) => check(codec))
      : await check(null);
    await show(report, vouched, terminal);
    return report.findings.length === 0 ? exitCodes.done : exitCodes.amiss;
  } finally {
    await inspection.close();
  }
};

/** How far the read models have followed the log; null: there are none, or they cannot be read. */
async function furthestCheckpoint(configuration: Configuration, terminal: Terminal): Promise<number | null> {
  try {
    return await furthestIn(await openReadStore(configuration, { readOnly: true }));
  } catch (error) {
    if (!(error instanceof ReadStoreUnavailableError)) throw error;
    terminal.say(`The read models cannot tell whether the log has lost its end. ${error.message}.`);
    return null;
  }
}

async function furthestIn(readStore: ReadStore): Promise<number | null> {
  try {
    const positions = await Promise.all(
      projections.map(async (projection) =>
        storedCheckpoint(projection, await readStore.servingVersion(projection.name), readStore),
      ),
    );
    return positions.reduce((one, other) => Math.max(one ?? -1, other ?? -1), null);
  } finally {
    await readStore.close();
  }
}

/** @throws CommandFailedError for a statement that cannot be relied on */
async function vouchedFor({ seal = [], signer }: VerifyParameters): Promise<readonly Vouched[]> {
  const vouched: Vouched[] = [];
  for (const file of seal) {
    const statement = await readStatement(file);
    const fault = signatureFault(statement, signer);
    if (fault !== null) throw new CommandFailedError(`The statement ${file} proves nothing: ${fault}.`);
    vouched.push(statement.claim);
  }
  return vouched;
}

async function show(
  report: VerificationReport,
  vouched: readonly Vouched[],
  terminal: Terminal,
): Promise<void> {
  if (terminal.json) return terminal.print(JSON.stringify(report));
  for (const finding of report.findings) await terminal.print(lineOf(finding));
  const { events, root, seals, sealed, findings } = report;
  await terminal.print(`${events} events, root ${root}`);
  await terminal.print(
    `Seals: ${seals}; the last good one covers ${sealed} events, ${events - sealed} are not sealed yet`,
  );
  if (findings.length > 0) return terminal.print(`${findings.length} faults were found.`);
  const also = vouched.length === 0 ? '' : ', and it is the log that the statement vouches for';
  await terminal.print(`Nothing is amiss${also}.`);
}

function lineOf({ kind, position, place, message }: Finding): string {
  const where = [position === null ? [] : `position ${position}`, place ?? []].flat().join(', ');
  return `${kind.toUpperCase()}  ${where === '' ? '' : `${where}: `}${message}`;
}
