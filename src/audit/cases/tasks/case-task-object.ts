import type { CaseTask } from './case-tasks.js';
import { toSeconds } from '../../../kernel/clock.js';

/** A task as replies show it; times are in seconds since the UNIX epoch. */
export function caseTaskObject({
  id,
  caseId,
  kind,
  state,
  progress,
  began,
  ended,
  result,
  error,
  bundle,
}: CaseTask): object {
  return {
    id,
    case_id: caseId,
    kind,
    state,
    progress: Math.floor(progress * 1000) / 1000,
    began: toSeconds(began),
    ended: ended === null ? null : toSeconds(ended),
    result,
    error: error?.message ?? null,
    expires: bundle === null ? null : toSeconds(bundle.expires),
  };
}
