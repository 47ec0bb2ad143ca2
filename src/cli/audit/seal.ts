import { Readable } from 'node:stream';
import { makeStatement, type StatementRequest } from '../../audit/sealing/make-statement.js';
import { fingerprint, loadSigningKey } from '../../audit/sealing/signing-key.js';
import type { PersistedEvent } from '../../event-store/port.js';
import { messagesStream, messageStream } from '../../messages/message.js';
import type { Statement } from '../../audit/sealing/statement.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import { writeNewFile } from '../new-file.js';
import { organizationName } from './organization-name.js';
import { withLog } from './reading-log.js';
import { readStatement } from './statement-file.js';

/** What the command line says for `palimpsest audit seal`. */
export interface SealParameters {
  readonly out?: string;
  readonly since?: string;
  readonly prove?: readonly string[];
}

/** What `palimpsest audit seal` does. */
export const writeStatement: CommandAction<SealParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async ({ log, eventStore }) => {
    const wanted = parameters.prove ?? [];
    const earlier = parameters.since === undefined ? null : await readStatement(parameters.since);
    const progress = terminal.progress('Sealing', await eventStore.head());
    const request: StatementRequest = {
      organization: await organizationName(log),
      statedAt: new Date().toISOString(),
      earlier,
      proves: provenBy(wanted),
      key: await loadSigningKey(configuration.dataDirectory),
      onProgress: (position) => progress.set(position),
    };
    const statement = await makeStatement(eventStore, request);
    progress.end();
    refuseUnproven(statement, wanted);
    const text = JSON.stringify(statement, null, terminal.json ? 0 : 2);
    if (parameters.out === undefined) await terminal.print(text);
    else await writeNewFile(parameters.out, Readable.from([`${text}\n`]));
    terminal.say(`${statement.claim.size} events, root ${statement.claim.root}`);
    terminal.say(`Signed by ${fingerprint(statement.publicKey)}`);
    return exitCodes.done;
  });

/** A message is proven with all that happened in its own stream. */
function provenBy(
  wanted: readonly string[],
): (event: Pick<PersistedEvent, 'id' | 'stream' | 'revision'>) => boolean {
  const names = new Set(wanted);
  return ({ id, stream, revision }) =>
    names.has(id) ||
    (stream === messagesStream && names.has(String(revision + 1))) ||
    (stream.startsWith('message-') && wanted.some((one) => stream === messageStream(Number(one))));
}

/** @throws CommandFailedError for what is not in the log */
function refuseUnproven({ inclusions }: Statement, wanted: readonly string[]): void {
  const missing = wanted.find((one) => !inclusions.some(({ event }) => provenBy([one])(event)));
  if (missing !== undefined) throw new CommandFailedError(`The log holds no message or event "${missing}".`);
}
