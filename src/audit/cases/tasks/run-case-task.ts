import type { KeyObject } from 'node:crypto';
import { QueryDeadline } from '../../../reader-threads/query-deadline.js';
import type { EventLog } from '../../../stores/event-store/event-log.js';
import type { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import { writeBundle } from '../bundle/write-bundle.js';
import { KnownNames } from '../../queries/known-names.js';
import { sizeOfCase } from './case-size.js';
import type { CaseTaskInput, CaseTaskResult, CaseTaskRun } from './case-task.js';
import { searchCase } from './search-case.js';

/** What tasks about cases need. */
interface CaseTaskSources {
  readonly log: EventLog;
  readonly files: EncryptedFiles;
  /** Signs bundles. */
  readonly signingKey: KeyObject;
  /** ISO 8601. */
  readonly now: string;
}

/** Runs a task about a case on a log. */
export async function runCaseTask(
  { log, files, signingKey, now }: CaseTaskSources,
  input: CaseTaskInput,
  run: CaseTaskRun,
): Promise<CaseTaskResult> {
  if (input.kind === 'size') return sizeOfCase(log, input, run);
  const names = await new KnownNames(log).lookup(new QueryDeadline());
  if (input.kind === 'search') return searchCase({ log, names }, input, run);
  const { file } = input;
  if (file === null) throw new Error('A bundle was asked for without a place for it');
  return writeBundle({ log, files, names, signingKey, statedAt: now }, { ...input, file }, run);
}
