import { plain } from '../../audit/sentences/wording.js';
import type { SkippedEvent } from '../../../projections/engine/operator-settings.js';
import { signatureFault } from '../../audit/sealing/check-bundle.js';
import type { Finding, VerificationReport, KnownTreeHead } from '../../audit/verification/report.js';
import { verifyStores, type StoresReport } from '../../audit/verification/verify-stores.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import { reachable, reachableLog } from '../with-stores.js';
import type { Terminal } from '../terminal.js';
import { readProofBundle } from './proof-bundle-file.js';

/** The arguments and options of `palimpsest audit verify`. */
interface VerifyParameters {
  readonly seal?: readonly string[];
  readonly signer?: string;
  readonly keys: boolean;
}

/** What `palimpsest audit verify` does. */
export const verifyAll: CommandAction<VerifyParameters> = async (parameters, { configuration, terminal }) => {
  const knownTreeHeads = await readKnownTreeHeads(parameters);
  await (parameters.keys ? reachable(configuration) : reachableLog(configuration));
  let progress: ReturnType<typeof terminal.progress> | null = null;
  const report = await verifyStores(configuration, {
    knownTreeHeads,
    withKeys: parameters.keys,
    onUnreadModels: (reason) =>
      terminal.say(`The read models cannot tell whether the log has lost its end. ${reason}.`),
    onProgress: ({ position, events, head }) => {
      progress ??= terminal.progress('Verifying', head);
      progress.set(events, position / (head ?? position));
    },
  });
  (progress as ReturnType<typeof terminal.progress> | null)?.end();
  await show(report, knownTreeHeads, terminal);
  return report.findings.length + report.discarded.length === 0 ? exitCodes.done : exitCodes.faultsFound;
};

/** @throws CommandFailedError for a proof bundle whose signature is not valid */
async function readKnownTreeHeads({
  seal = [],
  signer,
}: VerifyParameters): Promise<readonly KnownTreeHead[]> {
  const knownTreeHeads: KnownTreeHead[] = [];
  for (const file of seal) {
    const bundle = await readProofBundle(file);
    const fault = signatureFault(bundle, signer);
    if (fault !== null) throw new CommandFailedError(`The statement ${file} proves nothing: ${fault}.`);
    knownTreeHeads.push(bundle.claim);
  }
  return knownTreeHeads;
}

async function show(
  report: StoresReport,
  knownTreeHeads: readonly KnownTreeHead[],
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
  const also = knownTreeHeads.length === 0 ? '' : ', and it is the log that the statement vouches for';
  const where = discarded.length === 0 ? '' : ' in the log';
  await terminal.print(`Nothing is amiss${where}${also}.`);
}

/** Up to which position tags were checked, and what cannot be detected without a later tree head. */
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
  return `${kind.toUpperCase()}  ${plain(where === '' ? message : `${where}: ${message}`)}`;
}

/** A sentence about a discarded event. */
function lineAbout({ follower, event }: SkippedEvent): string {
  return `${follower} lacks ${plain(event.type)} at position ${event.position}, which was discarded: "projections dead-letters restore ${follower}" restores it`;
}
