import {
  heldEvents,
  inclusionFaults,
  isContinuationOf,
  type AnyProofBundle,
} from '../../audit/sealing/proof-bundle.js';
import { fingerprint } from '../../audit/sealing/signing-key.js';
import type { EventMetadata } from '../../kernel/event.js';
import { exitCodes, type CommandAction, type ExitCode } from '../command.js';
import type { Terminal } from '../terminal.js';
import { shownTime } from './moment.js';
import { readProofBundle, signatureFault } from './proof-bundle-file.js';

/** What the command line says for `palimpsest audit check`. */
export interface CheckParameters {
  readonly bundle: string;
  readonly earlier?: string;
  readonly signer?: string;
}

/** What `palimpsest audit check` does. */
export const checkProofBundle: CommandAction<CheckParameters> = async (parameters, { terminal }) => {
  const bundle = await readProofBundle(parameters.bundle);
  const earlier = parameters.earlier === undefined ? null : await readProofBundle(parameters.earlier);
  const faults = faultsOf(bundle, earlier, parameters.signer);
  const isSignerKnown = parameters.signer !== undefined;
  await show({ bundle, faults, isSignerKnown }, terminal);
  return codeOf(faults, isSignerKnown);
};

function codeOf(faults: readonly string[], isSignerKnown: boolean): ExitCode {
  if (faults.length > 0) return exitCodes.amiss;
  return isSignerKnown ? exitCodes.done : exitCodes.unproven;
}

interface Checked {
  readonly bundle: AnyProofBundle;
  readonly faults: readonly string[];
  readonly isSignerKnown: boolean;
}

async function show({ bundle, faults, isSignerKnown }: Checked, terminal: Terminal): Promise<void> {
  const { claim } = bundle;
  const signer = fingerprint(bundle.publicKey);
  const events = heldEvents(bundle);
  if (terminal.json) {
    const inclusions = events.length;
    return terminal.print(JSON.stringify({ claim, signer, isSignerKnown, inclusions, faults }));
  }
  await terminal.print(`${claim.organization}, ${claim.statedAt}: ${claim.size} events, root ${claim.root}`);
  await terminal.print(`Signed by ${signer}`);
  for (const fault of faults) await terminal.print(`FAULT  ${fault}`);
  // Of a bundle with faults, nothing is said to be held.
  if (faults.length > 0) return;
  for (const { index, event } of events) {
    const { stream, revision, type, id } = event;
    const { at, actorId, hash } = event.metadata as Pick<EventMetadata, 'at' | 'actorId'> & { hash: string };
    const actor = actorId === null ? 'the server' : `account ${actorId}`;
    await terminal.print(
      `Holds ${stream}@${revision}, event ${index} of the log: ${type}, ${shownTime(at)}, by ${actor}, ${id}, ${hash}`,
    );
  }
  await terminal.print('Nothing is amiss.');
  if (!isSignerKnown)
    await terminal.print(
      `But it was not said who must have signed it, and anybody can sign a log of their own: compare ${signer} with the fingerprint that you were given, and name that with --signer.`,
    );
}

function faultsOf(
  bundle: AnyProofBundle,
  earlier: AnyProofBundle | null,
  signer: string | undefined,
): readonly string[] {
  const faults: (string | null)[] = [signatureFault(bundle, signer), ...inclusionFaults(bundle)];
  if (earlier !== null) {
    // Both must be of one hand: otherwise anybody could continue anything.
    const fault = signatureFault(earlier, signer ?? fingerprint(bundle.publicKey));
    faults.push(fault === null ? null : `of the earlier bundle: ${fault}`);
    if (!isContinuationOf(bundle, earlier)) {
      faults.push(
        'it does not prove that the earlier bundle’s log begins its own: was it made with --since?',
      );
    }
  }
  return faults.filter((fault) => fault !== null);
}
