import { ApiError, ask, type Credentials } from './client.js';

/** A provider that signs people in: what `GET server_settings` says of it. */
export interface ExternalMethod {
  readonly name: string;
  readonly display_name: string;
  readonly login_url: string;
}

/** What the server adds to the address of whoever comes back from a provider. */
const ARRIVED = '?signed_in';

/** The providers by which people may sign in here. @throws ApiError */
export async function externalMethods(signal?: AbortSignal): Promise<readonly ExternalMethod[]> {
  const reply = await ask<{ readonly external_authentication_methods: readonly ExternalMethod[] }>(
    { path: 'server_settings', signal },
    null,
  );
  return reply.external_authentication_methods;
}

/** Where somebody begins who wants to come back to the console. */
export function beginningOf({ login_url: url }: ExternalMethod): string {
  return `${url}?next=console`;
}

/** Whether the tab has just come back from a provider. It is told once: the address is then as it is for anybody. */
export function takeArrival(): boolean {
  const { pathname, search, hash } = window.location;
  if (search !== ARRIVED) return false;
  window.history.replaceState(null, '', pathname + hash);
  return true;
}

/** Fetches the key of whoever has just come back; the server knows them by a cookie that is good for this alone. @throws ApiError */
export async function fetchKey(): Promise<Credentials> {
  const response = await fetch('/accounts/login/openid/key', {
    method: 'POST',
    credentials: 'same-origin',
  }).catch(() => {
    throw new ApiError('The server does not answer. It may be restarting.');
  });
  const body = (await response.json()) as {
    readonly api_key?: string;
    readonly email?: string;
    readonly msg?: string;
  };
  if (!response.ok || body.api_key === undefined || body.email === undefined)
    throw new ApiError(body.msg ?? `The server answered with ${response.status}.`, {
      status: response.status,
    });
  return { email: body.email, key: body.api_key };
}
