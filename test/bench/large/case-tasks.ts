import { setTimeout as pause } from 'node:timers/promises';
import { secondsOf } from '../support/rounds.js';
import { rounded, type Finding } from './findings.js';
import type { Members } from './members.js';
import type { Requester } from './requester.js';
import { soughtWords } from './texts.js';

/** How often it is asked whether a task has ended, in milliseconds. */
const ASKED_EVERY = 50;

/** A task of each kind. */
const caseTasks: readonly { readonly kind: string; readonly words?: string }[] = [
  { kind: 'size' },
  { kind: 'search', words: soughtWords.common },
  { kind: 'export' },
];

interface CaseTask {
  readonly id: string;
  readonly state: string;
}

/**
 * Times the tasks about a case from the request to their end. The case covers what one person wrote in one channel, as investigations do;
 * it is closed afterwards.
 */
export async function measureCaseTasks(
  owner: Requester,
  { people, channelIds }: Members,
): Promise<readonly Finding[]> {
  const scope = { user_ids: [people[0]!.id], channel_ids: [channelIds[0]!] };
  const parameters = { name: 'Bench', ...scope };
  const { id } = await owner.must({ method: 'POST', path: 'audit/cases', parameters });
  const findings: Finding[] = [];
  for (const { kind, words } of caseTasks) {
    let ended: CaseTask | null = null;
    const seconds = await secondsOf(async () => {
      const path = `audit/cases/${String(id)}/tasks`;
      const { task } = await owner.must({
        method: 'POST',
        path,
        parameters: { kind, ...(words && { words }) },
      });
      ended = await endOf(owner, task as CaseTask);
    });
    findings.push(findingOf(kind, seconds, ended!));
  }
  await owner.must({ method: 'POST', path: `audit/cases/${String(id)}/close` });
  return findings;
}

/** Waits until a task has ended. */
async function endOf(owner: Requester, begun: CaseTask): Promise<CaseTask> {
  for (let task = begun; ; await pause(ASKED_EVERY)) {
    if (task.state !== 'running') return task;
    const path = `audit/case-tasks/${task.id}`;
    task = (await owner.must({ method: 'GET', path }))['task'] as CaseTask;
  }
}

function findingOf(kind: string, seconds: number, { state }: CaseTask): Finding {
  return {
    what: `console, task of a case: ${kind}`,
    result: `${rounded(seconds)} s`,
    others: '',
    missed: [],
    ...(state !== 'done' && { failed: `it ended as ${state}` }),
  };
}
