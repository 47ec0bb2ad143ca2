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

/** Where the address is kept while the tab is at a provider. */
const LEFT = 'palimpsest-left';

/** The path of the console's pages. */
const PAGES = '/console/';

/** Keeps the address of the page that the tab leaves for a provider; of the first page nothing is kept. */
export function rememberPage(): void {
  const { pathname, search, hash } = window.location;
  const page = pathname + search + hash;
  if (page.startsWith(PAGES) && page !== PAGES) sessionStorage.setItem(LEFT, page);
  else sessionStorage.removeItem(LEFT);
}

/**
 * Whether the tab has just returned from a provider. It is true only once: the address becomes that of the page that the
 * tab left.
 */
export function consumeProviderReturn(): boolean {
  const { pathname, search, hash } = window.location;
  if (search !== ARRIVED) return false;
  window.history.replaceState(null, '', rememberedPage() ?? pathname + hash);
  return true;
}

/** The address that was kept, only once; null: none, or it is none of the console's. */
function rememberedPage(): string | null {
  const kept = sessionStorage.getItem(LEFT);
  sessionStorage.removeItem(LEFT);
  if (kept === null || !kept.startsWith(PAGES)) return null;
  const { pathname, search, hash } = new URL(kept, window.location.origin);
  return pathname.startsWith(PAGES) ? pathname + search + hash : null;
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
