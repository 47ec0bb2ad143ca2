import { useCallback } from 'react';
import { oftenWhile, useAct, useApi } from '../../api/use-api.js';

/** A fault of the log. */
export interface Finding {
  readonly kind: string;
  /** Null: it has no position. */
  readonly position: number | null;
  readonly place: string | null;
  readonly message: string;
}

/** The result of a verification. */
export interface Report {
  readonly events: number;
  readonly root: string;
  readonly seals: number;
  /** How many events the last valid seal covers. */
  readonly sealed: number;
  readonly sealSigners: readonly string[];
  /** The position from which on tags were checked; null: there are no tags. */
  readonly taggedFrom: number | null;
  /** The last event that it covers. */
  readonly last: string | null;
  readonly findings: readonly Finding[];
  readonly discarded: readonly {
    readonly follower: string;
    readonly event: { readonly type: string; readonly position: number };
  }[];
}

/** The summary of a proof bundle. */
export interface BundleSummary {
  readonly organization: string;
  readonly size: number;
  readonly root: string;
  readonly stated_at: string;
  readonly signer: string;
  readonly events: number;
  /** The size of the log in the earlier bundle; null: it does not continue one. */
  readonly continues: number | null;
}

/** A task that reads the whole log, as in `GET audit/proofs`. */
export interface Proof {
  readonly id: number;
  readonly kind: 'verification' | 'bundle';
  /** What a bundle proves; null: no message. */
  readonly message_id: number | null;
  /** What a bundle proves; null: no event. */
  readonly event_id: string | null;
  readonly is_compared: boolean;
  readonly started_at: number;
  /** Null: it is running. */
  readonly ended_at: number | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: {
    readonly position: number;
    readonly events: number;
    readonly head: number | null;
  } | null;
  readonly reason: string | null;
  readonly report: Report | null;
  readonly bundle: BundleSummary | null;
}

/** The input of a task. */
export type Begin = Readonly<{
  kind: 'verification' | 'bundle';
  kept?: string;
  message_id?: number;
  event_id?: string;
  earlier?: string;
}>;

/** Polling is not recorded as a look into the log. */
const whileRunning = oftenWhile<{ readonly proof: Proof | null }>(({ proof }) => proof?.state === 'running');

export function useProof() {
  return useApi<{ readonly proof: Proof | null }>('audit/proofs', {}, { every: whileRunning });
}

export function useBegin() {
  return useAct<Begin>(
    useCallback((begin: Begin) => ({ method: 'POST', path: 'audit/proofs', parameters: { ...begin } }), []),
    ['audit/proofs'],
  );
}

export function useCancel() {
  return useAct<undefined>(
    useCallback(() => ({ method: 'DELETE', path: 'audit/proofs' }), []),
    ['audit/proofs'],
  );
}
