import { z } from 'zod';
import type { tokenKinds } from '../../events/devices.js';
import { fetchBounded } from '../../http/bounded-response.js';
import { failure, type ApplicationError } from '../../kernel/errors.js';

/** A notification that the relay cannot read. */
export interface SealedNotification {
  readonly deviceId: number;
  readonly tokenKind: (typeof tokenKinds)[number];
  readonly tokenId: string;
  readonly pushKeyId: number;
  /** Base64 of nonce and ciphertext: see {@link encryptNotification}. */
  readonly payload: string;
}

/** A notification for a client without support for encryption: the relay can read it. */
export interface ClearNotification {
  readonly deviceId: number;
  readonly tokenKind: (typeof tokenKinds)[number];
  /** The device's own token. */
  readonly token: string;
  readonly appId: string | null;
  readonly payload: Readonly<Record<string, string>>;
}

/** The registration of a device at the relay, in the terms of its protocol. */
export interface RelayRegistration {
  readonly deviceId: number;
  readonly tokenKind: (typeof tokenKinds)[number];
  readonly tokenId: string;
  /** The relay's key with which the client encrypted its token. */
  readonly bouncerPublicKey: string;
  readonly encryptedRegistration: string;
}

/** Why a request to the relay failed. */
export const relayFailures = [
  /** It could not be reached, or did not respond in time. */
  'unreachable',
  /** It responded with 5xx. */
  'broken',
  /** It refused this server: bad credentials, an expired plan, or an unknown organization. */
  'refused',
] as const;
export type RelayFailure = (typeof relayFailures)[number];

/** The message contains a status or a network error code, never what was sent. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  constructor(
    readonly failure: RelayFailure,
    reason: string,
  ) {
    super(`The push relay failed (${reason})`);
  }
}

/** The address of the relay, and this server's identity there. */
interface PushRelayOptions {
  /** Without a trailing slash. */
  readonly url: string;
  /** A bearer token; null: none. */
  readonly token: string | null;
  /** The organization, by its public address. */
  readonly organization: () => string;
  /** Called for each request that fails. */
  readonly onFailure: (failure: RelayFailure) => void;
}

/** Milliseconds. */
const TIMEOUT = 10_000;

/** Maximum number of notifications in one request. */
const AT_ONCE = 500;

const notified = z.object({ unregistered_device_ids: z.array(z.number().int()).default([]) });

/** A client of the push relay, which knows devices' tokens but not their keys (docs/push-relay.md). */
export class PushRelay {
  constructor(private readonly options: PushRelayOptions) {}

  /** @throws RelayError */
  async register({
    deviceId: device_id,
    tokenKind: token_kind,
    tokenId: token_id,
    bouncerPublicKey: bouncer_public_key,
    encryptedRegistration: encrypted_push_registration,
  }: RelayRegistration): Promise<void> {
    const body = { device_id, token_kind, token_id, bouncer_public_key, encrypted_push_registration };
    await this.post('register', body);
  }

  /**
   * @returns ids of devices that the relay no longer knows
   * @throws RelayError
   */
  async notify(notifications: readonly SealedNotification[]): Promise<readonly number[]> {
    return this.notifyPages('notify', notifications.map(wireForm));
  }

  /**
   * @returns ids of devices that the relay no longer knows
   * @throws RelayError
   */
  async notifyByTokens(notifications: readonly ClearNotification[]): Promise<readonly number[]> {
    return this.notifyPages('notify_by_token', notifications.map(clearForm));
  }

  private async notifyPages(path: string, notifications: readonly object[]): Promise<readonly number[]> {
    const unregistered: number[] = [];
    for (let first = 0; first < notifications.length; first += AT_ONCE) {
      const page = notifications.slice(first, first + AT_ONCE);
      const answer = notified.safeParse(await this.post(path, { notifications: page }));
      if (!answer.success) throw this.failure('broken', 'an answer that is none');
      unregistered.push(...answer.data.unregistered_device_ids);
    }
    return unregistered;
  }

  private async post(path: string, body: object): Promise<unknown> {
    const { url, token, organization } = this.options;
    let response: Response;
    let text: string;
    try {
      response = await fetchBounded(`${url}/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ organization: organization(), ...body }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      text = await response.text();
    } catch (error) {
      throw this.failure('unreachable', codeOf(error));
    }
    if (response.status >= 500) throw this.failure('broken', String(response.status));
    if (!response.ok) throw this.failure('refused', String(response.status));
    try {
      return JSON.parse(text);
    } catch {
      throw this.failure('broken', 'an answer that is no JSON');
    }
  }

  private failure(failure: RelayFailure, reason: string): RelayError {
    this.options.onFailure(failure);
    return new RelayError(failure, reason);
  }
}

function wireForm({ deviceId, tokenKind, tokenId, pushKeyId, payload }: SealedNotification): object {
  return {
    device_id: deviceId,
    token_kind: tokenKind,
    token_id: tokenId,
    push_key_id: pushKeyId,
    payload,
  };
}

function clearForm({ deviceId, tokenKind, token, appId, payload }: ClearNotification): object {
  return { device_id: deviceId, token_kind: tokenKind, token, app_id: appId, payload };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error.name;
}

/** The configured relay; null: none, and nothing is sent to devices. */
export class ConfiguredRelay {
  constructor(readonly relay: PushRelay | null) {}
}

/** The API's error for a failure of the relay; other errors are returned unchanged. */
export function relayFailure(error: unknown): ApplicationError {
  if (!(error instanceof RelayError)) throw error;
  switch (error.failure) {
    case 'unreachable':
      return failure('failedToConnectBouncer');
    case 'broken':
      return failure('internalServerErrorOnBouncer');
    case 'refused':
      return failure('adminActionRequired');
  }
}
