import { ApiError, arrived, ask, parsed, type Credentials } from './client.js';

/** A provider that signs people in, as in `GET server_settings`. */
export interface ExternalMethod {
  readonly name: string;
  readonly display_name: string;
  readonly login_url: string;
}

/** The query that the server adds to the address after a sign-in at a provider. */
const ARRIVED = '?signed_in';

/** The providers that are configured. @throws ApiError */
export async function externalMethods(signal?: AbortSignal): Promise<readonly ExternalMethod[]> {
  const reply = await ask<{ readonly external_authentication_methods: readonly ExternalMethod[] }>(
    { path: 'server_settings', signal },
    null,
  );
  return reply.external_authentication_methods;
}

/** The address at which a sign-in begins that returns to the console. */
export function beginningOf({ login_url: url }: ExternalMethod): string {
  return `${url}?next=console`;
}

/** Whether the tab has just returned from a provider. It is true only once: the query is removed from the address. */
export function consumeProviderReturn(): boolean {
  const { pathname, search, hash } = window.location;
  if (search !== ARRIVED) return false;
  window.history.replaceState(null, '', pathname + hash);
  return true;
}

interface KeyReply {
  readonly api_key?: string;
  readonly email?: string;
  readonly msg?: string;
}

/** Fetches the API key after a return from a provider; the server recognises the browser by a cookie for this purpose. @throws ApiError */
export async function fetchKey(): Promise<Credentials> {
  const response = await arrived(
    fetch('/accounts/login/openid/key', { method: 'POST', credentials: 'same-origin' }),
  );
  const body = parsed<KeyReply>(await arrived(response.text()));
  if (!response.ok || body?.api_key === undefined || body.email === undefined)
    throw new ApiError(body?.msg ?? `The server answered with ${response.status}.`, {
      status: response.status,
    });
  return { email: body.email, key: body.api_key, isIssued: true };
}
