import { readFile } from 'node:fs/promises';
import { isSigned, statementSchema, type Statement } from '../../audit/sealing/statement.js';
import { fingerprint } from '../../audit/sealing/signing-key.js';
import { CommandFailedError } from '../command.js';

/** @throws CommandFailedError when the file holds no statement */
export async function readStatement(file: string): Promise<Statement> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw new CommandFailedError(`The statement ${file} cannot be read.`);
  }
  try {
    return statementSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandFailedError(`${file} does not hold a statement that "palimpsest audit seal" made.`);
  }
}

/** What is wrong with a statement by itself; null: nothing. */
export function signatureFault(statement: Statement, signer: string | undefined): string | null {
  if (!isSigned(statement)) return 'its signature does not fit: it was changed after it was signed';
  const found = fingerprint(statement.publicKey);
  if (signer === undefined || signer === found) return null;
  return `it was signed by ${found}, not by ${signer}`;
}
