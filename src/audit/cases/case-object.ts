import { toSeconds } from '../../kernel/clock.js';
import type { Case, CaseAct } from './case.state.js';
import type { CaseActObject, CaseObject } from './cases.replies.js';

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

/** Who did something and when: an account of the organization, or the operator, by name. */
function actObject({ actorId, operator, at }: CaseAct): CaseActObject {
  return { user_id: actorId, operator, at: secondsOrNull(at) };
}

function secondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : toSeconds(milliseconds);
}
