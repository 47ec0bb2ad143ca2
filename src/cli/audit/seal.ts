import { Readable } from 'node:stream';
import { makeProofBundle, type ProofBundleRequest } from '../../audit/sealing/make-proof-bundle.js';
import { readMessageLife } from '../../audit/message-life.js';
import { fingerprint, loadSigningKey } from '../../audit/sealing/signing-key.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { messagesStream, messageStream } from '../../events/messages.js';
import type { ProofBundle } from '../../audit/sealing/proof-bundle.js';
import type { LogStores } from '../../stores/stores.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import { writeNewFile } from '../new-file.js';
import { organizationName } from './organization-name.js';
import { withLog } from './reading-log.js';
import type { PastOpening } from './past.js';
import { arrivalsIn } from '../../node/message-views.js';
import { pastOf } from './history.js';
import { readProofBundle } from './proof-bundle-file.js';

/** What the command line says for `palimpsest audit seal`. */
export interface SealParameters {
  readonly out?: string;
  readonly since?: string;
  readonly prove?: readonly string[];
}

/** What `palimpsest audit seal` does. */
export const writeProofBundle: CommandAction<SealParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const { log, eventStore } = stores;
    const wanted = parameters.prove ?? [];
    const earlier = parameters.since === undefined ? null : await readProofBundle(parameters.since);
    const lives = await livesOf(wanted, { configuration, stores, terminal });
    const progress = terminal.progress('Sealing', await eventStore.head());
    const request: ProofBundleRequest = {
      organization: await organizationName(log),
      statedAt: new Date().toISOString(),
      earlier,
      proves: (event) => lives.has(event.id) || isProvenBy(event, wanted),
      key: await loadSigningKey(configuration.dataDirectory),
      onProgress: (position) => progress.set(position),
    };
    const bundle = await makeProofBundle(eventStore, request);
    progress.end();
    refuseUnproven(bundle, wanted);
    const text = JSON.stringify(bundle, null, terminal.json ? 0 : 2);
    if (parameters.out === undefined) await terminal.print(text);
    else await writeNewFile(parameters.out, Readable.from([`${text}\n`]));
    terminal.say(`${bundle.claim.size} events, root ${bundle.claim.root}`);
    terminal.say(`Signed by ${fingerprint(bundle.publicKey)}`);
    return exitCodes.done;
  });

/** Ids of the events of messages' lives: moves, too, which stand in the channel's stream. */
async function livesOf(
  wanted: readonly string[],
  opening: PastOpening & { readonly stores: LogStores },
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const one of wanted.filter((name) => /^\d{1,15}$/.test(name))) {
    const life = await readMessageLife(opening.stores.log, Number(one), {
      arrivalBefore: arrivalsIn(pastOf(opening)),
    });
    for (const { eventId } of life?.steps ?? []) ids.add(eventId);
  }
  return ids;
}

/** An event that is named by its id; a message, by its number, with all that happened in its own stream. */
function isProvenBy(
  { id, stream, revision }: Pick<PersistedEvent, 'id' | 'stream' | 'revision'>,
  wanted: readonly string[],
): boolean {
  return (
    wanted.includes(id) ||
    (stream === messagesStream && wanted.includes(String(revision + 1))) ||
    (stream.startsWith('message-') && wanted.some((one) => stream === messageStream(Number(one))))
  );
}

/** @throws CommandFailedError for what is not in the log */
function refuseUnproven({ inclusions }: ProofBundle, wanted: readonly string[]): void {
  const missing = wanted.find((one) => !inclusions.some(({ event }) => isProvenBy(event, [one])));
  if (missing !== undefined) throw new CommandFailedError(`The log holds no message or event "${missing}".`);
}
