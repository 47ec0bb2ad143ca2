import { Readable } from 'node:stream';
import {
  DamagedEventError,
  makeProofBundle,
  type ProofBundleRequest,
} from '../../audit/sealing/make-proof-bundle.js';
import { fingerprint, loadSigningKey } from '../../audit/sealing/signing-key.js';
import { eventsToProve, unprovenIn } from '../../audit/sealing/prove-events.js';
import type { ProofBundle } from '../../audit/sealing/proof-bundle.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import { requireNewFile, writeNewFile } from '../new-file.js';
import { claimedOrganization } from '../../audit/names.js';
import { withLog } from './reading-log.js';
import { recordAuditAccess, type OperatorAccess } from './record-audit-access.js';
import { placementsIn, type OpenPast } from '../../node/past-placements.js';
import { openPast } from './past.js';
import { byPosition } from '../progress-line.js';
import { readProofBundle } from './proof-bundle-file.js';
import { printableJson } from '../terminal-text.js';

/** The arguments and options of `palimpsest audit seal`. */
interface SealParameters {
  readonly out?: string;
  readonly since?: string;
  readonly prove?: readonly string[];
}

/** What `palimpsest audit seal` does. */
export const writeProofBundle: CommandAction<SealParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const { log, eventStore } = stores;
    if (parameters.out !== undefined) await requireNewFile(parameters.out);
    const wanted = parameters.prove ?? [];
    const earlier = parameters.since === undefined ? null : await readProofBundle(parameters.since);
    await recordAuditAccess({ configuration, terminal }, accessTo(wanted));
    const open: OpenPast = (moment) => openPast({ configuration, stores, terminal }, moment);
    const head = await eventStore.head();
    const progress = terminal.progress('Sealing', head);
    const request: ProofBundleRequest = {
      organization: await claimedOrganization(log),
      statedAt: new Date().toISOString(),
      earlier,
      proves: await eventsToProve(log, wanted, placementsIn(open)),
      key: await loadSigningKey(configuration.dataDirectory),
      onProgress: byPosition(progress, head),
    };
    const bundle = await bundleOrDamage(eventStore, request);
    progress.end();
    if (bundle instanceof DamagedEventError) {
      terminal.say(`${bundle.message}.`);
      return exitCodes.faultsFound;
    }
    refuseUnproven(bundle, wanted);
    const text = JSON.stringify(bundle, null, terminal.json ? 0 : 2);
    if (parameters.out === undefined) await terminal.print(printableJson(text));
    else await writeNewFile(parameters.out, Readable.from([`${text}\n`]));
    terminal.say(`${bundle.claim.size} events, root ${bundle.claim.root}`);
    terminal.say(`Signed by ${fingerprint(bundle.publicKey)}`);
    return exitCodes.done;
  });

/** Length in characters at which the names of what is proven are cut in the record of the access. */
const MAX_NOTED = 1_000;

/** How this making of a bundle is recorded. */
function accessTo(wanted: readonly string[]): OperatorAccess {
  const [first] = wanted;
  if (first === undefined) return { view: 'tree-head' };
  return wanted.length === 1 && /^\d{1,15}$/.test(first)
    ? { view: 'proof-bundle', selection: { messageId: Number(first) } }
    : { view: 'proof-bundle', asked: { prove: wanted.join(', ').slice(0, MAX_NOTED) } };
}

async function bundleOrDamage(
  ...parameters: Parameters<typeof makeProofBundle>
): Promise<ProofBundle | DamagedEventError> {
  try {
    return await makeProofBundle(...parameters);
  } catch (error) {
    if (error instanceof DamagedEventError) return error;
    throw error;
  }
}

/** @throws CommandFailedError for events that are not in the log */
function refuseUnproven(bundle: ProofBundle, wanted: readonly string[]): void {
  const missing = unprovenIn(bundle, wanted);
  if (missing !== undefined) throw new CommandFailedError(`The log holds no message or event "${missing}".`);
}
