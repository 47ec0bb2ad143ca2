import { useCallback } from 'react';
import { useAct, useApi } from '../../api/use-api.js';

/** Something that is wrong with the log. */
export interface Finding {
  readonly kind: string;
  /** Null: it has no place. */
  readonly position: number | null;
  readonly place: string | null;
  readonly message: string;
}

/** What came of a verification. */
export interface Report {
  readonly events: number;
  readonly root: string;
  readonly seals: number;
  /** How many events the last good seal covers. */
  readonly sealed: number;
  readonly sealSigners: readonly string[];
  /** From which position on tags were checked; null: there are none. */
  readonly taggedFrom: number | null;
  /** The last event that it speaks for. */
  readonly last: string | null;
  readonly findings: readonly Finding[];
  readonly discarded: readonly {
    readonly follower: string;
    readonly event: { readonly type: string; readonly position: number };
  }[];
}

/** What a proof bundle says of itself. */
export interface BundleSummary {
  readonly organization: string;
  readonly size: number;
  readonly root: string;
  readonly stated_at: string;
  readonly signer: string;
  readonly events: number;
  /** How many events the log of the earlier bundle had; null: it continues none. */
  readonly continues: number | null;
}

/** A work that reads the whole log, as `GET audit/proofs` has it. */
export interface Proof {
  readonly id: number;
  readonly kind: 'verification' | 'bundle';
  readonly message_id: number | null;
  readonly is_compared: boolean;
  readonly started_at: number;
  /** Null: it goes on. */
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

/** What is begun. */
export type Begin = Readonly<{
  kind: 'verification' | 'bundle';
  kept?: string;
  message_id?: number;
  earlier?: string;
}>;

/** Often enough to follow it; following is no look into the log. */
const EVERY = 1_000;

export function useProof() {
  return useApi<{ readonly proof: Proof | null }>('audit/proofs', {}, { every: EVERY });
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
