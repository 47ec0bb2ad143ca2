import { ask, type Credentials } from './client.js';

/** Who is signed in, and what they may do here: what `GET audit/access` answers. */
export interface Access {
  readonly user_id: number;
  readonly full_name: string;
  /** Name of the organization. */
  readonly organization: string;
  /** Whether they may look into the log. */
  readonly may_audit: boolean;
  /** Whether they may operate the server. */
  readonly may_operate: boolean;
}

/** Exchanges a password for a key. @throws ApiError */
export async function logIn(email: string, password: string): Promise<Credentials> {
  const parameters = { username: email, password };
  const reply = await ask<{ readonly api_key: string; readonly email: string }>(
    { method: 'POST', path: 'fetch_api_key', parameters },
    null,
  );
  return { email: reply.email, key: reply.api_key };
}

/** @throws ApiError also where the key is not good */
export function accessOf(credentials: Credentials, signal?: AbortSignal): Promise<Access> {
  return ask<Access>({ path: 'audit/access', signal }, credentials);
}
