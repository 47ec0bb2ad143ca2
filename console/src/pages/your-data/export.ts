import { useCallback } from 'react';
import { useAct, useApi } from '../../api/use-api.js';

/** What a copy holds. */
export interface ExportResult {
  readonly bytes: number;
  readonly messages: number;
  readonly events: number;
  readonly files: number;
}

/** How the copy of whoever is signed in stands: what `GET users/me/data_export` answers. Times are in seconds. */
export interface Export {
  readonly state: 'running' | 'done' | 'failed';
  /** 0 to 1. */
  readonly progress: number;
  readonly result: ExportResult | null;
  readonly error: string | null;
  readonly expires: number | null;
}

const path = 'users/me/data_export';

export function useExport() {
  return useApi<{ readonly export: Export | null }>(path, {}, { every: 1_000 });
}

export function useBegin() {
  return useAct<undefined>(
    useCallback(() => ({ method: 'POST', path }), []),
    [path],
  );
}

export function useEnd() {
  return useAct<undefined>(
    useCallback(() => ({ method: 'DELETE', path }), []),
    [path],
  );
}
