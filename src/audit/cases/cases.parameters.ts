import { IsIn } from 'class-validator';
import { z } from 'zod';
import type { CaseScope } from '../../events/cases.js';
import {
  IntegerParameter,
  TextParameter,
  JsonParameter,
} from '../../http/parameters/parameter-decorators.js';
import { failure } from '../../kernel/errors.js';
import { readMoment } from '../moment.js';
import { isoTime } from './bundle/bundled-message.js';
import { soundWords, type CaseChange } from './case.decide.js';
import type { Case, CaseDescription } from './case.state.js';
import type { CaseTaskInput, CaseTaskKind, ExportInput } from './tasks/case-task.js';

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

/**
 * Converts the parameters to the input of a task.
 *
 * @throws ApplicationError `missingParameter`, `invalidParameter`, and those of `soundWords`
 */
export function taskInput(found: Case, parameters: BeginCaseTaskParameters): CaseTaskInput {
  const { kind, words: wanted, after = 0 } = parameters;
  const { scope, words } = found;
  if (kind === 'export') return exportInput(found);
  if (kind === 'size') return { kind, scope, words };
  if (wanted === undefined) throw failure('missingParameter', { var_name: 'words' });
  return { kind, scope, words, query: soundWords(wanted), after: Math.max(0, after) };
}

/** The input of the task that exports a case. */
export function exportInput({ id, name, description, scope, words, held }: Case): ExportInput {
  const iso = (time: number | null): string | null => (time === null ? null : isoTime(time));
  const bundled = { ...scope, since: iso(scope.since), until: iso(scope.until) };
  const about = { id, name, description, scope: bundled, words, heldSince: iso(held?.at ?? null) };
  return { kind: 'export', scope, words, about, file: null };
}

const ids = z.array(z.number().int().positive());

/** What requests that create or change a case have in common. */
class CaseParameters {
  @TextParameter({ description: 'What it is about, at length. At most 5,000 code points.' })
  description?: string;

  @JsonParameter({
    schema: ids,
    description: 'Only messages by these people, and direct messages with them. Empty: everybody.',
  })
  user_ids?: number[];

  @JsonParameter({
    schema: ids,
    description: 'Only messages that lie in these channels, or have lain there. Empty: anywhere.',
  })
  channel_ids?: number[];

  @TextParameter({
    description:
      'Only messages sent at or after a time: ISO 8601, in UTC unless it says otherwise. Empty: from the beginning.',
  })
  from?: string;

  @TextParameter({ description: 'Only messages sent at or before a time. Empty: without end.' })
  to?: string;

  @TextParameter({
    description:
      'Only messages one version of which has all of these words; in quotation marks, side by side. Empty: whatever they say.',
  })
  words?: string;
}

/** Parameters of POST /audit/cases. */
export class CreateCaseParameters extends CaseParameters {
  @TextParameter({ required: true, description: 'At most 100 code points.', example: 'Engine dispute' })
  name!: string;
}

/** Parameters of PATCH /audit/cases/{case_id}: absent fields keep their value. */
export class ChangeCaseParameters extends CaseParameters {
  @TextParameter({ description: 'At most 100 code points.' })
  name?: string;

  @IntegerParameter({
    description:
      'The `revision` of the case that the change is about: if it has another by now, nothing is changed. Left out: whatever it is by now.',
  })
  revision?: number;
}

/** Converts the parameters to the description of a new case. @throws ApplicationError `invalidMoment` */
export function newCase(parameters: CreateCaseParameters): CaseDescription {
  const { name, description = '', words = null } = parameters;
  const everything: CaseScope = { userIds: [], channelIds: [], since: null, until: null };
  return { name, description, words, scope: { ...everything, ...scopeChange(parameters) } };
}

/** Converts the parameters to a change of a case. @throws ApplicationError `invalidMoment` */
export function caseChange(parameters: ChangeCaseParameters): CaseChange {
  const { name, description, words, revision } = parameters;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(words !== undefined && { words: words.trim() === '' ? null : words }),
    ...(revision !== undefined && { revision }),
    scope: scopeChange(parameters),
  };
}

function scopeChange({ user_ids, channel_ids, from, to }: CaseParameters): Partial<CaseScope> {
  return {
    ...(user_ids && { userIds: user_ids }),
    ...(channel_ids && { channelIds: channel_ids }),
    ...(from !== undefined && { since: timeIn('from', from) }),
    ...(to !== undefined && { until: timeIn('to', to) }),
  };
}

/** Returns milliseconds since the UNIX epoch; null: the text is empty, which removes the bound. */
function timeIn(name: string, text: string): number | null {
  if (text.trim() === '') return null;
  const moment = readMoment(text);
  if (moment === null || 'position' in moment) throw failure('invalidMoment', { reason: name });
  return moment.time;
}
