import { isoTime } from '../bundle/bundled-message.js';
import type { Case } from '../case.state.js';
import type { ExportInput } from './case-task.js';

/** The input of the task that exports a case. */
export function exportInput({ id, name, description, scope, words, held }: Case): ExportInput {
  const iso = (time: number | null): string | null => (time === null ? null : isoTime(time));
  const bundled = { ...scope, since: iso(scope.since), until: iso(scope.until) };
  const about = { id, name, description, scope: bundled, words, heldSince: iso(held?.at ?? null) };
  return { kind: 'export', scope, words, about, file: null };
}
