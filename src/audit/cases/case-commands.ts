import { stat } from 'node:fs/promises';
import type { OperatorAuditAccess } from '../commands/audit-access.js';
import { wholeLog } from '../log/requested-selection.js';
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
import type { ControlCommand, ControlParameters } from '../../operations/control-socket.js';
import type { CaseDescription } from './case.state.js';
import { accessOf, type CaseTaskInput } from './tasks/case-task.js';
import type { CaseTasks } from './tasks/case-tasks.js';
import { exportInput } from './tasks/export-input.js';

/** What the commands about cases need. */
interface CaseCommandParts {
  readonly cases: Cases;
  readonly tasks: CaseTasks;
  readonly access: OperatorAuditAccess;
}

/**
 * The control commands of `palimpsest audit case`, by the names that the running server knows. Their parameters are the operator's account,
 * the number of the case, and the arguments of the command.
 */
export function caseCommands(
  parts: CaseCommandParts,
): Readonly<Record<string, { readonly concurrent: ControlCommand }>> {
  const { cases } = parts;
  const changing =
    (decide: Parameters<Cases['change']>[2]): ControlCommand =>
    async (parameters) =>
      caseObject(await cases.change(workerOf(parameters), idOf(parameters), decide));
  const commands: Readonly<Record<(typeof caseCommandNames)[number], ControlCommand>> = {
    'case list': async (parameters) => (await cases.all(workerOf(parameters))).map(caseObject),
    'case show': async (parameters) => caseObject(await cases.get(workerOf(parameters), idOf(parameters))),
    'case create': async (parameters) => {
      const id = await cases.create(workerOf(parameters), parameters['description'] as CaseDescription);
      return caseObject(await cases.get(workerOf(parameters), id));
    },
    'case change': async (parameters) => {
      const change = parameters['change'] as CaseChange;
      cases.refuseUnknown(change.scope ?? {});
      return caseObject(
        await cases.change(workerOf(parameters), idOf(parameters), (state, asking) =>
          decideChangeCase(state, change, asking),
        ),
      );
    },
    'case hold': changing((state, asking) => decidePlaceHold(state, {}, asking)),
    'case release': changing(decideLiftHold),
    'case close': changing((state, asking) => decideCloseCase(state, {}, asking)),
    'case size': (parameters, report) => perform(parts, { parameters, kind: 'size' }, report),
    'case search': (parameters, report) => perform(parts, { parameters, kind: 'search' }, report),
    'case export': (parameters, report) => perform(parts, { parameters, kind: 'export' }, report),
    'case drop': async (parameters) => {
      await parts.tasks.drop('operator', String(parameters['task']));
      return null;
    },
  };
  return Object.fromEntries(Object.entries(commands).map(([name, concurrent]) => [name, { concurrent }]));
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

interface TaskRequest {
  readonly parameters: ControlParameters;
  readonly kind: CaseTaskInput['kind'];
}

/** Runs a task and waits for its result. An exported file stays at `file` until the command line tool has taken it. */
async function perform(
  { cases, tasks, access }: CaseCommandParts,
  { parameters, kind }: TaskRequest,
  report: (progress: unknown) => void,
): Promise<unknown> {
  const found = await cases.get(workerOf(parameters), idOf(parameters));
  const { scope, words } = found;
  const after = Number(parameters['after'] ?? 0);
  const inputs = {
    size: () => ({ kind: 'size', scope, words }) as const,
    search: () =>
      ({
        kind: 'search',
        scope,
        words,
        query: validSearchWords(String(parameters['words'])),
        after,
      }) as const,
    export: () => exportInput(found),
  };
  const input = inputs[kind]();
  const audit = { ...accessOf(found.id, input), selection: wholeLog };
  const noted = (): Promise<void> => access.record(audit, workerOf(parameters).operator);
  const { id } = await tasks.begin('operator', found.id, {
    input,
    note: noted,
    onProgress: (progress) => report({ progress }),
  });
  const { result, error, expires } = await tasks.ended('operator', id);
  if (error !== null) throw error;
  if (expires === null) {
    await tasks.drop('operator', id);
    return { ...result };
  }
  const file = await tasks.bundle('operator', id);
  return { ...result, task: id, file, size: (await stat(file)).size };
}

function workerOf({ operator }: ControlParameters): { readonly operator: string } {
  return { operator: typeof operator === 'string' ? operator : 'unknown' };
}

function idOf(parameters: ControlParameters): number {
  return Number(parameters['case']);
}
