import { IsIn } from 'class-validator';
import { IntegerParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';
import { failure } from '../../../kernel/errors.js';
import { soundWords } from '../case.decide.js';
import type { Case } from '../case.state.js';
import { isoTime } from '../bundle/bundled-message.js';
import type { CaseTaskInput, CaseTaskKind, ExportInput } from '../tasks/case-task.js';

const kinds: readonly CaseTaskKind[] = ['size', 'search', 'export'];

/** Parameters of POST /audit/cases/{case_id}/tasks. */
export class BeginCaseTaskParameters {
  @TextParameter({
    required: true,
    values: kinds,
    description:
      '`size` counts what the case covers; `search` looks for `words` in every version of it; `export` makes a bundle of it, to download.',
    example: 'size',
  })
  @IsIn(kinds)
  kind!: CaseTaskKind;

  @TextParameter({
    description:
      'What to look for: texts that have all of these words; in quotation marks, side by side. Only with `search`.',
  })
  words?: string;

  @IntegerParameter({
    description: 'Only messages after this id: the `beyond` of an earlier search. Only with `search`.',
  })
  after?: number;
}

/** What is asked for. @throws ApplicationError `missingParameter`, `invalidParameter`, and those of `soundWords` */
export function taskInput(found: Case, parameters: BeginCaseTaskParameters): CaseTaskInput {
  const { kind, words: wanted, after = 0 } = parameters;
  const { scope, words } = found;
  if (kind === 'export') return exportInput(found);
  if (kind === 'size') return { kind, scope, words };
  if (wanted === undefined) throw failure('missingParameter', { var_name: 'words' });
  return { kind, scope, words, query: soundWords(wanted), after: Math.max(0, after) };
}

/** The bundle of a case. */
export function exportInput({ id, name, description, scope, words, held }: Case): ExportInput {
  const iso = (time: number | null): string | null => (time === null ? null : isoTime(time));
  const bundled = { ...scope, since: iso(scope.since), until: iso(scope.until) };
  const about = { id, name, description, scope: bundled, words, heldSince: iso(held?.at ?? null) };
  return { kind: 'export', scope, words, about, file: null };
}
