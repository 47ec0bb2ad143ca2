import { fingerprint } from '../../audit/sealing/signing-key.js';
import { isContinuationOf, isIncluded, type Statement } from '../../audit/sealing/statement.js';
import { exitCodes, type CommandAction } from '../command.js';
import { readStatement, signatureFault } from './statement-file.js';

/** What the command line says for `palimpsest audit check`. */
export interface CheckParameters {
  readonly statement: string;
  readonly earlier?: string;
  readonly signer?: string;
}

/** What `palimpsest audit check` does. */
export const checkStatement: CommandAction<CheckParameters> = async (parameters, { terminal }) => {
  const statement = await readStatement(parameters.statement);
  const earlier = parameters.earlier === undefined ? null : await readStatement(parameters.earlier);
  const faults = faultsOf(statement, earlier, parameters.signer);
  const { claim, inclusions, publicKey } = statement;
  if (terminal.json) {
    await terminal.print(
      JSON.stringify({ claim, signer: fingerprint(publicKey), inclusions: inclusions.length, faults }),
    );
  } else {
    await terminal.print(
      `${claim.organization}, ${claim.statedAt}: ${claim.size} events, root ${claim.root}`,
    );
    await terminal.print(`Signed by ${fingerprint(publicKey)}`);
    for (const { event } of inclusions)
      await terminal.print(`Holds ${event.stream}@${event.revision} ${event.type} ${event.hash}`);
    for (const fault of faults) await terminal.print(`FAULT  ${fault}`);
    if (faults.length === 0) await terminal.print('Nothing is amiss.');
  }
  return faults.length === 0 ? exitCodes.done : exitCodes.amiss;
};

function faultsOf(
  statement: Statement,
  earlier: Statement | null,
  signer: string | undefined,
): readonly string[] {
  const faults: (string | null)[] = [signatureFault(statement, signer)];
  for (const inclusion of statement.inclusions) {
    const { stream, revision } = inclusion.event;
    faults.push(
      isIncluded(inclusion, statement.claim)
        ? null
        : `it does not prove that ${stream}@${revision} is in the log`,
    );
  }
  if (earlier !== null) {
    // Both must be of one hand: otherwise anybody could continue anything.
    const fault = signatureFault(earlier, signer ?? fingerprint(statement.publicKey));
    faults.push(fault === null ? null : `of the earlier statement: ${fault}`);
    if (!isContinuationOf(statement, earlier)) {
      faults.push(
        'it does not prove that the earlier statement’s log begins its own: was it made with --since?',
      );
    }
  }
  return faults.filter((fault) => fault !== null);
}
