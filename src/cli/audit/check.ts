import {
  checkCaseBundle,
  isZipFile,
  type CheckedCaseBundle,
} from '../../audit/cases/bundle/check-case-bundle.js';
import { plain } from '../../audit/sentences/wording.js';
import { checkBundle, type CheckedBundle } from '../../audit/sealing/check-bundle.js';
import {
  CommandFailedError,
  exitCodes,
  MisusedError,
  type CommandAction,
  type ExitCode,
} from '../command.js';
import type { Terminal } from '../terminal.js';
import { shownTime } from './moment.js';
import { readProofBundle } from './proof-bundle-file.js';

/** The arguments and options of `palimpsest audit check`. */
interface CheckParameters {
  readonly bundle: string;
  readonly earlier?: string;
  readonly signer?: string;
}

/** What `palimpsest audit check` does. */
export const checkProofBundle: CommandAction<CheckParameters> = async (parameters, { terminal }) => {
  if (await isZip(parameters.bundle)) return checkBundleOfCase(parameters, terminal);
  const bundle = await readProofBundle(parameters.bundle);
  const earlier = parameters.earlier === undefined ? null : await readProofBundle(parameters.earlier);
  const checked = checkBundle(bundle, { earlier, signer: parameters.signer });
  await show(checked, terminal);
  return codeOf(checked);
};

async function isZip(file: string): Promise<boolean> {
  try {
    return await isZipFile(file);
  } catch {
    throw new CommandFailedError(`${file} cannot be read.`);
  }
}

/** The same for a bundle of `audit case export`. */
async function checkBundleOfCase(
  { bundle, earlier, signer: expected }: CheckParameters,
  terminal: Terminal,
): Promise<ExitCode> {
  if (earlier !== undefined)
    throw new MisusedError('--earlier is for proof bundles, and not for those of cases.');
  const checked = await checkCaseBundle(bundle, { signer: expected });
  if (checked === null) throw new CommandFailedError(`${bundle} does not hold the bundle of a case.`);
  const { claim, signer, isSignerKnown, proven, faults } = checked;
  if (terminal.json) await terminal.print(JSON.stringify({ claim, signer, isSignerKnown, proven, faults }));
  else for (const line of linesOf(checked)) await terminal.print(line);
  return codeOf(checked);
}

function linesOf({ claim, signer, isSignerKnown, proven, faults }: CheckedCaseBundle): readonly string[] {
  const { organization, statedAt, case: about, counts, entries, size, root } = claim;
  const head = [
    `Case ${about.id} of ${plain(organization)}, ${plain(about.name)}, exported ${plain(statedAt)}`,
    `${size} events in the log, root ${plain(root)}`,
    `Signed by ${signer}`,
    ...faults.map((fault) => `FAULT  ${plain(fault)}`),
  ];
  if (faults.length > 0) return head;
  return [
    ...head,
    `Holds ${counts.messages} messages in ${counts.versions} versions, ${counts.files} files and ${entries.length} entries; ${proven} events are proven to be in the log.`,
    'Nothing is amiss.',
    ...(isSignerKnown ? [] : [unknownSigner(signer)]),
  ];
}

function codeOf({ faults, isSignerKnown }: Pick<CheckedBundle, 'faults' | 'isSignerKnown'>): ExitCode {
  if (faults.length > 0) return exitCodes.faultsFound;
  return isSignerKnown ? exitCodes.done : exitCodes.unproven;
}

async function show(
  { claim, signer, isSignerKnown, events, faults }: CheckedBundle,
  terminal: Terminal,
): Promise<void> {
  if (terminal.json) {
    const inclusions = events.length;
    return terminal.print(JSON.stringify({ claim, signer, isSignerKnown, inclusions, faults }));
  }
  await terminal.print(
    `${plain(claim.organization)}, ${plain(claim.statedAt)}: ${claim.size} events, root ${plain(claim.root)}`,
  );
  await terminal.print(`Signed by ${signer}`);
  for (const fault of faults) await terminal.print(`FAULT  ${plain(fault)}`);
  // If the bundle has faults, nothing is said about legal holds.
  if (faults.length > 0) return;
  for (const { index, stream, revision, type, id, at, actorId, hash } of events) {
    const actor = actorId === null ? 'the server' : `account ${actorId}`;
    await terminal.print(
      `Holds ${plain(stream)}@${revision}, event ${index} of the log: ${plain(type)}, ${shownTime(at)}, by ${actor}, ${plain(id)}, ${hash}`,
    );
  }
  await terminal.print('Nothing is amiss.');
  if (!isSignerKnown) await terminal.print(unknownSigner(signer));
}

function unknownSigner(signer: string): string {
  return `But it was not said who must have signed it, and anybody can sign a log of their own: compare ${signer} with the fingerprint that you were given, and name that with --signer.`;
}
