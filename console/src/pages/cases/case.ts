import { useCallback } from 'react';
import { oftenWhile, useAct, useApi } from '../../api/use-api.js';

/** Who did something, and when: seconds since the UNIX epoch. */
export interface Attribution {
  /** Null: an operator on the command line. */
  readonly user_id: number | null;
  /** Of the account; null: it has none. */
  readonly full_name: string | null;
  readonly operator: string | null;
  readonly at: number;
}

/** A case, as in `GET audit/cases`. */
export interface Case {
  readonly id: number;
  readonly revision: number;
  readonly name: string;
  readonly description: string;
  readonly user_ids: readonly number[];
  readonly channel_ids: readonly number[];
  /** Seconds since the UNIX epoch; null: no limit. */
  readonly from: number | null;
  readonly to: number | null;
  readonly words: string | null;
  readonly state: 'open' | 'closed';
  readonly created: Attribution;
  readonly hold: Attribution | null;
  readonly closed: Attribution | null;
}

/** The number of messages and people in a case. */
export interface Size {
  readonly messages: number;
  readonly deleted_messages: number;
  readonly versions: number;
  readonly erased_versions: number;
  readonly people: number;
  readonly events: number;
  readonly unreadable_events: number;
  readonly text_bytes: number;
  readonly files: number;
  readonly file_bytes: number;
}

/** The result of a search. */
export interface Hits {
  readonly hits: readonly {
    readonly message_id: number;
    readonly sender_name: string | null;
    readonly sent: number;
    readonly deleted: number | null;
    readonly versions: readonly {
      readonly number: number;
      readonly written: number;
      readonly is_latest: boolean;
      readonly excerpt: string;
    }[];
  }[];
  readonly looked: number;
  /** The message from which to search on, as `after`; null: everything was searched. */
  readonly beyond: number | null;
  /** They may have contained the words. */
  readonly unreadable_events: number;
}

/** A bundle to download. */
export interface Bundle {
  readonly bytes: number;
  readonly sha256: string;
  readonly messages: number;
  readonly files: number;
  readonly missing_files: number;
  readonly events: number;
  readonly unreadable_events: number;
  readonly signer: string;
}

interface TaskOf<Kind, Result> {
  readonly id: string;
  readonly kind: Kind;
  readonly state: 'running' | 'done' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly began: number;
  readonly result: Result | null;
  readonly error: string | null;
  readonly expires: number | null;
}

/** A task of a case, and its result. */
export type Task = TaskOf<'size', Size> | TaskOf<'search', Hits> | TaskOf<'export', Bundle>;

export function useCases() {
  return useApi<{ readonly cases: readonly Case[] }>('audit/cases');
}

export function useCase(id: string) {
  return useApi<{ readonly case: Case }>(`audit/cases/${id}`);
}

interface TasksReply {
  readonly tasks: readonly Task[];
}

/** Polling is not recorded as a look into the log. */
const whileRunning = oftenWhile<TasksReply>(({ tasks }) => tasks.some(({ state }) => state === 'running'));

export function useTasks(caseId: number) {
  return useApi<TasksReply>(`audit/cases/${caseId}/tasks`, {}, { every: whileRunning });
}

/** A request below `audit/cases`. */
export interface CaseRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below `audit`. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Changes a case, and reads cases again. */
export function useCaseAct() {
  return useAct<CaseRequest>(
    useCallback(({ path, ...request }: CaseRequest) => ({ ...request, path: `audit/${path}` }), []),
    ['audit/case'],
  );
}
