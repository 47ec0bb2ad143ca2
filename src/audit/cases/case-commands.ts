import { stat } from 'node:fs/promises';
import type { OperatorAuditAccess } from '../commands/audit-access.js';
import { wholeLog } from '../requested-selection.js';
import {
  decideChangeCase,
  decideCloseCase,
  decideLiftHold,
  decidePlaceHold,
  validSearchWords,
  type CaseChange,
} from './case.decide.js';
import { caseObject } from './cases.replies.js';
import type { Cases } from './cases.js';
import type { CaseDescription } from './case.state.js';
import { askedOf, viewOf, type CaseTaskInput } from './tasks/case-task.js';
import type { CaseTasks } from './tasks/case-tasks.js';
import { exportInput } from './tasks/export-input.js';

/** What the commands about cases need. */
interface CaseCommandParts {
  readonly cases: Cases;
  readonly tasks: CaseTasks;
  readonly looks: OperatorAuditAccess;
}

/**
 * The input from the command line, plain JSON: the operator's account, the number of the case, and the arguments of
 * the command.
 */
type Said = Readonly<Record<string, unknown>>;
type Command = (said: Said, report: (progress: unknown) => void) => Promise<unknown>;

/** The control commands of `palimpsest audit case`, by the names that the running server knows. */
export function caseCommands(
  parts: CaseCommandParts,
): Readonly<Record<string, { readonly beside: Command }>> {
  const { cases } = parts;
  const changing =
    (decide: Parameters<Cases['change']>[2]): Command =>
    async (said) =>
      caseObject(await cases.change(workerOf(said), idOf(said), decide));
  const commands: Readonly<Record<(typeof caseCommandNames)[number], Command>> = {
    'case list': async (said) => (await cases.all(workerOf(said))).map(caseObject),
    'case show': async (said) => caseObject(await cases.get(workerOf(said), idOf(said))),
    'case create': async (said) => {
      const id = await cases.create(workerOf(said), said['description'] as CaseDescription);
      return caseObject(await cases.get(workerOf(said), id));
    },
    'case change': async (said) => {
      const change = said['change'] as CaseChange;
      cases.refuseUnknown(change.scope ?? {});
      return caseObject(
        await cases.change(workerOf(said), idOf(said), (state, asking) =>
          decideChangeCase(state, change, asking),
        ),
      );
    },
    'case hold': changing(decidePlaceHold),
    'case release': changing(decideLiftHold),
    'case close': changing(decideCloseCase),
    'case size': (said, report) => perform(parts, { said, kind: 'size' }, report),
    'case search': (said, report) => perform(parts, { said, kind: 'search' }, report),
    'case export': (said, report) => perform(parts, { said, kind: 'export' }, report),
    'case drop': async (said) => {
      await parts.tasks.drop('operator', String(said['task']));
      return null;
    },
  };
  return Object.fromEntries(Object.entries(commands).map(([name, beside]) => [name, { beside }]));
}

export const caseCommandNames = [
  'case list',
  'case show',
  'case create',
  'case change',
  'case hold',
  'case release',
  'case close',
  'case size',
  'case search',
  'case export',
  'case drop',
] as const;

interface Asked {
  readonly said: Said;
  readonly kind: CaseTaskInput['kind'];
}

/** Runs a task and waits for its result. An exported file stays at `file` until the command line tool has taken it. */
async function perform(
  { cases, tasks, looks }: CaseCommandParts,
  { said, kind }: Asked,
  report: (progress: unknown) => void,
): Promise<unknown> {
  const found = await cases.get(workerOf(said), idOf(said));
  const { scope, words } = found;
  const after = Number(said['after'] ?? 0);
  const inputs = {
    size: () => ({ kind: 'size', scope, words }) as const,
    search: () =>
      ({ kind: 'search', scope, words, query: validSearchWords(String(said['words'])), after }) as const,
    export: () => exportInput(found),
  };
  const input = inputs[kind]();
  const audit = { view: viewOf(input), selection: wholeLog, asked: { caseId: found.id, ...askedOf(input) } };
  const noted = (): Promise<void> => looks.record(audit, workerOf(said).operator);
  const { id } = await tasks.begin('operator', found.id, {
    input,
    note: noted,
    onProgress: (progress) => report({ progress }),
  });
  const { result, error, bundle } = await tasks.ended('operator', id);
  if (error !== null) throw error;
  if (bundle === null) await tasks.drop('operator', id);
  const made = bundle === null ? {} : { task: id, file: bundle.file, size: (await stat(bundle.file)).size };
  return { ...result, ...made };
}

function workerOf({ operator }: Said): { readonly operator: string } {
  return { operator: typeof operator === 'string' ? operator : 'unknown' };
}

function idOf(said: Said): number {
  return Number(said['case']);
}
