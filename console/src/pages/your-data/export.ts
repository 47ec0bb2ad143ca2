import { useCallback } from 'react';
import { oftenWhile, useAct, useApi } from '../../api/use-api.js';

/** The content of a copy. */
export interface ExportResult {
  readonly bytes: number;
  readonly messages: number;
  readonly events: number;
  readonly files: number;
}

/** The status of the account's copy: the reply to `GET users/me/data_export`. Times are in seconds since the UNIX epoch. */
export interface Export {
  readonly state: 'running' | 'done' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly result: ExportResult | null;
  readonly error: string | null;
  readonly expires: number | null;
}

const PATH = 'users/me/data_export';

interface ExportReply {
  readonly export: Export | null;
}

const whileRunning = oftenWhile<ExportReply>((reply) => reply.export?.state === 'running');

export function useExport() {
  return useApi<ExportReply>(PATH, {}, { every: whileRunning });
}

export function useBegin() {
  return useAct<undefined>(
    useCallback(() => ({ method: 'POST', path: PATH }), []),
    [PATH],
  );
}

export function useEnd() {
  return useAct<undefined>(
    useCallback(() => ({ method: 'DELETE', path: PATH }), []),
    [PATH],
  );
}
