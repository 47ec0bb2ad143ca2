import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { makeStatement, type StatementRequest } from '../../audit/sealing/make-statement.js';
import { fingerprint, loadSigningKey } from '../../audit/sealing/signing-key.js';
import { messagesStream, messageStream } from '../../messages/message.js';
import { collected, exitCodes, runs, type CommandAction } from '../command.js';
import { organizationName } from './organization-name.js';
import { withLog } from './reading-log.js';
import { readStatement } from './statement-file.js';

interface SealParameters {
  readonly out?: string;
  readonly since?: string;
  readonly prove?: readonly string[];
}

/** `palimpsest audit seal` */
export function sealCommand(audit: Command): void {
  const seal = audit
    .command('seal')
    .summary('write a signed statement of the log so far')
    .description(
      'Writes a statement of what the log is now: how many events, and the root of their Merkle tree (RFC 6962), signed with the Ed25519 key in DATA_DIR/seal.key, which the first statement makes. Give it to somebody who is to be able to tell later that nothing before it was changed: keep it where whoever can write the log cannot.',
    )
    .option('--out <file>', 'write it to a file instead of standard output')
    .option('--since <statement>', 'prove that the log of an earlier statement begins this one')
    .option('--prove <what>', 'prove that events are in the log: a message’s id, or an event’s', collected)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit seal --out november.json
  palimpsest audit seal --out december.json --since november.json --prove 41
  palimpsest audit verify --seal november.json     with the log: nothing before it has changed
  palimpsest audit check december.json --earlier november.json     without the log`,
    );
  runs(seal, writeStatement);
}

const writeStatement: CommandAction<SealParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async ({ log, eventStore }) => {
    const earlier = parameters.since === undefined ? null : await readStatement(parameters.since);
    const progress = terminal.progress('Sealing', await eventStore.head());
    const request: StatementRequest = {
      organization: await organizationName(log),
      statedAt: new Date().toISOString(),
      earlier,
      proves: provenBy(parameters.prove ?? []),
      key: await loadSigningKey(configuration.dataDirectory),
      onProgress: (position) => progress.set(position),
    };
    const statement = await makeStatement(eventStore, request);
    progress.end();
    const text = JSON.stringify(statement, null, terminal.json ? 0 : 2);
    if (parameters.out === undefined) await terminal.print(text);
    else await writeFile(parameters.out, `${text}\n`);
    terminal.say(`${statement.claim.size} events, root ${statement.claim.root}`);
    terminal.say(`Signed by ${fingerprint(statement.publicKey)}`);
    return exitCodes.done;
  });

/** A message is proven with all that happened in its own stream. */
function provenBy(wanted: readonly string[]): StatementRequest['proves'] {
  const names = new Set(wanted);
  return ({ id, stream, revision }) =>
    names.has(id) ||
    (stream === messagesStream && names.has(String(revision + 1))) ||
    (stream.startsWith('message-') && wanted.some((one) => stream === messageStream(Number(one))));
}
