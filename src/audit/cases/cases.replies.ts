import { z } from 'zod';
import {
  type Described,
  id,
  ids,
  named,
  seconds,
  secondsOrNever,
} from '../../http/replies/common-schemas.js';
import type { Directory } from '../../access/directory.js';
import { toSeconds } from '../../kernel/clock.js';
import type { Case, CaseAct } from './case.state.js';

const act = z.strictObject({
  user_id: id
    .nullable()
    .describe('The account that acted over HTTP; null: somebody acted on the command line'),
  full_name: z
    .string()
    .nullable()
    .optional()
    .describe('The present name of the account; absent on the command line'),
  operator: z
    .string()
    .nullable()
    .describe(
      'The account of the operating system that used the command line; null: the request came over HTTP',
    ),
  at: secondsOrNever,
});

/** What somebody did about a case, and when. */
type CaseActObject = Described<typeof act>;

/** A case as replies and the command line show it. */
const caseSchema = named(
  'Case',
  z.strictObject({
    id,
    revision: z
      .int()
      .describe('To be sent with a change, so that a change of an outdated version is refused'),
    name: z.string(),
    description: z.string(),
    user_ids: ids,
    channel_ids: ids,
    from: secondsOrNever,
    to: secondsOrNever,
    words: z.string().nullable(),
    state: z.enum(['open', 'closed']),
    created: act,
    hold: act.nullable().describe('The legal hold; null: there is none'),
    closed: act.nullable(),
  }),
);

type CaseObject = Described<typeof caseSchema>;

/** A task about a case as replies show it. */
const caseTaskSchema = named(
  'CaseTask',
  z.strictObject({
    id: z.string(),
    case_id: id,
    kind: z.enum(['size', 'search', 'export']),
    state: z.enum(['running', 'done', 'failed']),
    progress: z.number().min(0).max(1),
    began: seconds,
    ended: secondsOrNever,
    result: z
      .looseObject({})
      .nullable()
      .describe('The result, in a form that depends on the kind of task; null: the task is not finished'),
    error: z.string().nullable(),
    expires: secondsOrNever.describe(
      'When the bundle is deleted, in seconds since the UNIX epoch; null: the task made no bundle',
    ),
  }),
);

/** Answered by `GET audit/cases`. */
export const casesReply = { cases: z.array(caseSchema) };

/** Answered by `POST audit/cases`. */
export const createdCaseReply = { id };

/** Answered by `GET audit/cases/{case_id}`, `PATCH audit/cases/{case_id}`, `POST audit/cases/{case_id}/close` and others. */
export const caseReply = { case: caseSchema };

/** Answered by `GET audit/cases/{case_id}/tasks`. */
export const caseTasksReply = { tasks: z.array(caseTaskSchema) };

/** Answered by `POST audit/cases/{case_id}/tasks`, `GET audit/case-tasks/{task}`. */
export const caseTaskReply = { task: caseTaskSchema };

/** A case as replies and the command line show it; times are in seconds since the UNIX epoch. */
export function caseObject(one: Case): CaseObject {
  const { id, revision, name, description, scope, words, created, held, closed } = one;
  return {
    id,
    revision,
    name,
    description,
    user_ids: scope.userIds,
    channel_ids: scope.channelIds,
    from: secondsOrNull(scope.since),
    to: secondsOrNull(scope.until),
    words,
    state: closed === null ? 'open' : 'closed',
    created: actObject(created),
    hold: held && actObject(held),
    closed: closed && actObject(closed),
  };
}

/** A case as replies show it, with the present names of who acted. */
export function namedCaseObject(one: Case, directory: Pick<Directory, 'user'>): CaseObject {
  const shown = caseObject(one);
  const withName = (act: CaseActObject): CaseActObject => ({
    ...act,
    full_name: act.user_id === null ? null : (directory.user(act.user_id)?.fullName ?? null),
  });
  const { created, hold, closed } = shown;
  return {
    ...shown,
    created: withName(created),
    hold: hold && withName(hold),
    closed: closed && withName(closed),
  };
}

/** Who did something and when: an account of the organization, or the operator, by name. */
function actObject({ actorId, operator, at }: CaseAct): CaseActObject {
  return { user_id: actorId, operator, at: secondsOrNull(at) };
}

function secondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : toSeconds(milliseconds);
}
