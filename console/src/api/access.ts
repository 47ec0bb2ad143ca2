import { ask, type Credentials } from './client.js';

/** The signed-in account, and its permissions: the reply to `GET audit/access`. */
export interface Access {
  readonly user_id: number;
  readonly full_name: string;
  /** Name of the organization. */
  readonly organization: string;
  /** Whether the account may look into the log. */
  readonly may_audit: boolean;
  /** Whether the account may operate the server. */
  readonly may_operate: boolean;
}

/** The input of a sign-in by password. */
export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  /** A code of the second factor; undefined: none was requested yet. */
  readonly code: string | undefined;
}

/** Exchanges a password for an API key. @throws ApiError also when the account needs a second factor: see {@link ApiError.isAboutCode} */
export async function logIn({ email, password, code }: PasswordSignIn): Promise<Credentials> {
  const parameters = { username: email, password, second_factor: code };
  const reply = await ask<{ readonly api_key: string; readonly email: string }>(
    { method: 'POST', path: 'fetch_api_key', parameters },
    null,
  );
  return { email: reply.email, key: reply.api_key, isIssued: true };
}

/** @throws ApiError also when the key is not valid */
export function accessOf(credentials: Credentials, signal?: AbortSignal): Promise<Access> {
  return ask<Access>({ path: 'audit/access', signal }, credentials);
}

interface KeysReply {
  readonly api_keys: readonly { readonly id: string; readonly is_current: boolean }[];
}

/** Revokes the key itself, and no other one of the account. @throws ApiError */
export async function revoke(credentials: Credentials): Promise<void> {
  const { api_keys: keys } = await ask<KeysReply>({ path: 'users/me/api_keys' }, credentials);
  const current = keys.find(({ is_current: isCurrent }) => isCurrent);
  if (current !== undefined)
    await ask({ method: 'DELETE', path: `users/me/api_keys/${current.id}` }, credentials);
}
