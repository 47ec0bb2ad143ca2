import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ApiError, ApiRequest } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { useApi } from '../../api/use-api.js';

/** The status of the account's second factor: the reply to `GET users/me/second_factor`. */
export interface Factor {
  readonly is_enabled: boolean;
  readonly recovery_codes_left: number;
}

/** A secret that is to be confirmed by a code. It is shown only once. */
export interface Begun {
  /** In base32. */
  readonly secret: string;
  /** The same as an `otpauth://` address, for a QR code. */
  readonly uri: string;
}

const PATH = 'users/me/second_factor';

export function useFactor() {
  return useApi<Factor>(PATH);
}

/** Begins the set-up, with the account's password. */
export function useBegin(onDone: (begun: Begun) => void) {
  return useSecret<Begun>((password) => ({ method: 'POST', path: PATH, parameters: { password } }), onDone);
}

/** Confirms the secret with a code. */
export function useConfirm(onDone: (recoveryCodes: readonly string[]) => void) {
  return useSecret<{ readonly recovery_codes: readonly string[] }>(
    (code) => ({ method: 'POST', path: `${PATH}/confirm`, parameters: { code } }),
    ({ recovery_codes }) => onDone(recovery_codes),
  );
}

/** Disables the second factor, with a code or a recovery code. */
export function useDisable() {
  return useSecret<unknown>((code) => ({ method: 'DELETE', path: PATH, parameters: { code } }));
}

/** Sends a secret. Neither the secret nor the reply is kept after its form is closed. */
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
    onSettled: () => client.invalidateQueries({ queryKey: ['api', PATH] }),
  });
}
