import type { Audit } from '../../commands/audit-access.decide.js';
import type { CaseTaskInput } from './case-task.js';

/** The kind of view that is recorded for a task. */
export function viewOf({ kind }: CaseTaskInput): Audit['view'] {
  return `case-${kind}`;
}

/** The further parameters that are recorded for a task. */
export function askedOf(input: CaseTaskInput): NonNullable<Audit['asked']> {
  if (input.kind !== 'search') return {};
  const { query: words, after } = input;
  return { words, ...(after > 0 && { after }) };
}
