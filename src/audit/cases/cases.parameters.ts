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
import { validSearchWords, type CaseChange } from './case.decide.js';
import type { Case, CaseDescription } from './case.state.js';
import type { CaseTaskInput, CaseTaskKind } from './tasks/case-task.js';
import { exportInput } from './tasks/export-input.js';
import { budgets } from '../../kernel/budgets.js';

const kinds: readonly CaseTaskKind[] = ['size', 'search', 'export'];

/** Parameters of POST /audit/cases/{case_id}/tasks. */
export class BeginCaseTaskParameters {
  @TextParameter({
    required: true,
    values: kinds,
    description:
      '`size` counts the messages that the case covers; `search` looks for `words` in every version of these messages; `export` makes a bundle of them to download.',
    example: 'size',
  })
  @IsIn(kinds)
  kind!: CaseTaskKind;

  @TextParameter({
    maxLength: budgets.searchCharacters.max,
    description:
      'The words to look for: a text must contain all of them. Words in quotation marks must be adjacent. Only with `search`.',
  })
  words?: string;

  @IntegerParameter({
    description:
      'Only messages with ids greater than this: the `beyond` of an earlier search. Only with `search`.',
  })
  after?: number;
}

/**
 * Converts the parameters to the input of a task.
 *
 * @throws ApplicationError `missingParameter`, `invalidParameter`, and those of `validSearchWords`
 */
export function taskInput(found: Case, parameters: BeginCaseTaskParameters): CaseTaskInput {
  const { kind, words: wanted, after = 0 } = parameters;
  const { scope, words } = found;
  if (kind === 'export') return exportInput(found);
  if (kind === 'size') return { kind, scope, words };
  if (wanted === undefined) throw failure('missingParameter', { var_name: 'words' });
  return { kind, scope, words, query: validSearchWords(wanted), after: Math.max(0, after) };
}

const ids = z.array(z.number().int().positive()).max(budgets.listOfRequest.max);

/** What requests that create or change a case have in common. */
class CaseParameters {
  @TextParameter({
    maxLength: budgets.caseDescription.max,
    description: 'A longer description of the case. At most 5,000 code points.',
  })
  description?: string;

  @JsonParameter({
    maxItems: budgets.caseScope.max,
    schema: ids,
    description:
      'Only messages sent by these people, and direct messages with them. Empty: no such condition.',
  })
  user_ids?: number[];

  @JsonParameter({
    maxItems: budgets.caseScope.max,
    schema: ids,
    description: 'Only messages that are, or once were, in these channels. Empty: no such condition.',
  })
  channel_ids?: number[];

  @TextParameter({
    description:
      'Only messages sent at or after this time: an ISO 8601 date or time, in UTC if it has no time zone. Empty: no such condition.',
  })
  from?: string;

  @TextParameter({
    description:
      'Only messages sent at or before this time, in the same format as `since`. Empty: no such condition.',
  })
  to?: string;

  @TextParameter({
    maxLength: budgets.searchCharacters.max,
    description:
      'Only messages of which one version contains all of these words. Words in quotation marks must be adjacent. Empty: no such condition.',
  })
  words?: string;
}

/** Parameters of POST /audit/cases. */
export class CreateCaseParameters extends CaseParameters {
  @TextParameter({
    maxLength: budgets.caseName.max,
    required: true,
    description: 'The name of the case. At most 100 code points.',
    example: 'Engine dispute',
  })
  name!: string;
}

/** Parameters of PATCH /audit/cases/{case_id}: absent fields keep their value. */
export class ChangeCaseParameters extends CaseParameters {
  @TextParameter({
    maxLength: budgets.caseName.max,
    description: 'The name of the case. At most 100 code points.',
  })
  name?: string;

  @IntegerParameter({
    description:
      'The `revision` of the case that the change is based on. If the case has another revision by now, nothing is changed. Absent: the change applies to any revision.',
  })
  revision?: number;
}

/** Parameters of POST /audit/cases/{case_id}/hold and POST /audit/cases/{case_id}/close. */
export class ReadCaseParameters {
  @IntegerParameter({
    description:
      'The `revision` of the case that the caller read. If the case has another revision by now, nothing is done. Absent: any revision.',
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
