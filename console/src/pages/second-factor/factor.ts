import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ApiError, ApiRequest } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { useApi } from '../../api/use-api.js';

/** How the second factor of whoever is signed in stands: what `GET users/me/second_factor` answers. */
export interface Factor {
  readonly is_enabled: boolean;
  readonly recovery_codes_left: number;
}

/** A secret that waits to be confirmed by a code: shown this once. */
export interface Begun {
  /** In base32. */
  readonly secret: string;
  /** The same as an address `otpauth://`, for a QR code. */
  readonly uri: string;
}

const path = 'users/me/second_factor';

export function useFactor() {
  return useApi<Factor>(path);
}

/** Begins, by the password of whoever is signed in. */
export function useBegin(onDone: (begun: Begun) => void) {
  return useSecret<Begun>((password) => ({ method: 'POST', path, parameters: { password } }), onDone);
}

/** Confirms what was begun by a code of it. */
export function useConfirm(onDone: (recoveryCodes: readonly string[]) => void) {
  return useSecret<{ readonly recovery_codes: readonly string[] }>(
    (code) => ({ method: 'POST', path: `${path}/confirm`, parameters: { code } }),
    ({ recovery_codes }) => onDone(recovery_codes),
  );
}

/** Takes the second factor away, by a code of it or a recovery code. */
export function useDisable() {
  return useSecret<unknown>((code) => ({ method: 'DELETE', path, parameters: { code } }));
}

/** Sends a secret. Neither it nor what is answered is kept any longer than its form is shown. */
function useSecret<Reply>(
  request: (secret: string) => ApiRequest,
  onDone: (reply: Reply) => void = () => undefined,
): UseMutationResult<Reply, ApiError, string> {
  const { ask } = useSession();
  const client = useQueryClient();
  return useMutation<Reply, ApiError, string>({
    mutationFn: (secret) => ask<Reply>(request(secret)),
    gcTime: 0,
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ['api', path] }),
  });
}
