import type { Finding, VerificationReport } from '../../audit/verification/report.js';
import { readRecordedEnd } from '../../audit/verification/recorded-end.js';
import { verifyLog, type VerificationOptions } from '../../audit/verification/verify-log.js';
import { eventCatalog } from '../../stores/event-catalog.js';
import { projections } from '../../../projections/registry.js';
import type { Configuration } from '../../config.js';
import { storedCheckpoint } from '../../operations/projection-report.js';
import { KeysMissingError } from '../../stores/key-store/port.js';
import type { Vault } from '../../stores/key-store/vault.js';
import { ReadStoreUnavailableError, type ReadStore } from '../../stores/read-store/port.js';
import { openLogToInspect, openReadStore, type LogStores } from '../../stores/stores.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import type { Terminal } from '../terminal.js';
import { withLog } from './reading-log.js';
import { discardedEvents, lineAbout } from './discarded-events.js';
import type { GivenUp } from '../../../projections/engine/operator-orders.js';
import { readProofBundle, signatureFault } from './proof-bundle-file.js';
import type { Vouched } from '../../audit/verification/report.js';
import { EventCodec } from '../../stores/event-store/codec.js';

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
    const check = async (
      checking: Pick<VerificationOptions, 'codec' | 'tags' | 'recordedEnd'>,
    ): Promise<VerificationReport> => {
      const progress = terminal.progress('Verifying', head);
      const report = await verifyLog(inspection, {
        catalog: eventCatalog,
        ...checking,
        vouched,
        passed,
        onProgress: (position, events) => progress.set(events, position / (head ?? position)),
      });
      progress.end();
      return report;
    };
    const report = parameters.keys
      ? await withLog(configuration, async (stores) => check(await checkingWith(stores)))
      : await check({ codec: null });
    const discarded = await discardedEvents(configuration);
    await show({ ...report, discarded }, vouched, terminal);
    return report.findings.length + discarded.length === 0 ? exitCodes.done : exitCodes.amiss;
  } finally {
    await inspection.close();
  }
};

/** What the keys allow to look at: the content of events, their tags, and the record of the log's end. */
async function checkingWith({
  vault,
  tags,
  headRecords,
  eventStore,
}: LogStores): Promise<Pick<VerificationOptions, 'codec' | 'tags' | 'recordedEnd'>> {
  const isTagged = await isTaggedOrUnknown(vault);
  const recordedEnd = await readRecordedEnd({ eventStore, headRecords, tagKey: tags.key, isTagged });
  // Tags are looked at by themselves, so this codec need not ask for them.
  return { codec: new EventCodec(eventCatalog, vault), tags, recordedEnd };
}

async function isTaggedOrUnknown(vault: Vault): Promise<boolean | null> {
  try {
    return await vault.isTagged();
  } catch (error) {
    if (error instanceof KeysMissingError) return null;
    throw error;
  }
}

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
    const statement = await readProofBundle(file);
    const fault = signatureFault(statement, signer);
    if (fault !== null) throw new CommandFailedError(`The statement ${file} proves nothing: ${fault}.`);
    vouched.push(statement.claim);
  }
  return vouched;
}

async function show(
  report: VerificationReport & { readonly discarded: readonly GivenUp[] },
  vouched: readonly Vouched[],
  terminal: Terminal,
): Promise<void> {
  if (terminal.json) return terminal.print(JSON.stringify(report));
  for (const finding of report.findings) await terminal.print(lineOf(finding));
  const { events, root, seals, sealed, sealSigners, findings, discarded } = report;
  for (const event of discarded) await terminal.print(lineAbout(event));
  for (const signer of sealSigners) await terminal.print(`Seals are signed by ${signer}`);
  await terminal.print(tagLine(report));
  await terminal.print(`${events} events, root ${root}`);
  await terminal.print(
    `Seals: ${seals}; the last good one covers ${sealed} events, ${events - sealed} are not sealed yet`,
  );
  if (findings.length > 0) return terminal.print(`${findings.length} faults were found.`);
  const also = vouched.length === 0 ? '' : ', and it is the log that the statement vouches for';
  const where = discarded.length === 0 ? '' : ' in the log';
  await terminal.print(`Nothing is amiss${where}${also}.`);
}

/** How far the tags go, and what nothing but somebody further ahead could tell. */
function tagLine({ taggedFrom, last }: VerificationReport): string {
  const tags =
    taggedFrom === null
      ? 'Tags: none were looked at'
      : `Tags: every event from position ${Math.max(taggedFrom, 1)} on was checked`;
  return last === null
    ? tags
    : `${tags}; all of this speaks for the log up to ${last}, and for nothing that may have followed it`;
}

function lineOf({ kind, position, place, message }: Finding): string {
  const where = [position === null ? [] : `position ${position}`, place ?? []].flat().join(', ');
  return `${kind.toUpperCase()}  ${where === '' ? '' : `${where}: `}${message}`;
}
