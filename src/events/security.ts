import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const userId = z.number().int().positive();

/** Id of a key as in its owner's list of keys: the first 64 bits of its digest, hexadecimal. */
const keyId = z.string();

/** Where a request came from: personal data, which is erased with the person's key. */
const origin = {
  /** The IP address of the client, as trusted proxies report it. Empty: unknown. */
  address: z.string(),
  /** Name of the client program: the User-Agent up to its first slash. */
  client: z.string(),
};

function erasableOrigin(): {
  readonly fields: readonly ('address' | 'client')[];
  readonly owner: (data: { readonly userId: number }) => number;
  readonly placeholder: { readonly address: string; readonly client: string };
} {
  return {
    fields: ['address', 'client'],
    owner: (data) => data.userId,
    placeholder: { address: '', client: '' },
  };
}

const exampleOrigin = { address: '192.0.2.7', client: 'ZulipMobile' };

/** Name of the stream of an account's log-ins and keys. */
export function securityStream(accountId: number): string {
  return `security-${accountId}`;
}

/** How people authenticate. */
const logInMethods = ['password', 'web-token', 'openid-connect'] as const;

/** Stream `security-<user>`. */
export const LoggedIn = defineEvent({
  type: 'LoggedIn',
  description: 'A person logged in and was given an API key.',
  schema: z.strictObject({ userId, method: z.enum(logInMethods), keyId, ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, method: 'password', keyId: '9f86d081884c7d65', ...exampleOrigin },
});

/** Why a log-in failed. */
const logInFailures = ['wrong-password', 'wrong-second-factor', 'too-many-attempts', 'deactivated'] as const;

/**
 * Stream `security-<user>`. Only a few of a person are recorded within an hour; others are counted: {@link
 * LogInFailuresCounted}.
 */
export const LogInFailed = defineEvent({
  type: 'LogInFailed',
  description: 'An attempt to log in to an account failed.',
  schema: z.strictObject({ userId, reason: z.enum(logInFailures), ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, reason: 'wrong-password', ...exampleOrigin },
});

/** Stream `security-<user>`. */
export const LogInFailuresCounted = defineEvent({
  type: 'LogInFailuresCounted',
  description: 'More attempts to log in to an account failed than are recorded one by one.',
  schema: z.strictObject({
    userId,
    count: z.number().int().positive(),
    /** Time of the first, in milliseconds since the UNIX epoch. */
    since: z.number().int(),
    /** Time of the last. */
    until: z.number().int(),
  }),
  example: { userId: 3, count: 120, since: 1_767_225_600_000, until: 1_767_229_100_000 },
});

/** Why keys are issued other than by logging in. */
const keyReasons = ['joined', 'regenerated', 'bot-created'] as const;

/** Stream `security-<user>`; the origin is that of the request. */
export const ApiKeyIssued = defineEvent({
  type: 'ApiKeyIssued',
  description: 'An API key of an account was issued other than by logging in.',
  schema: z.strictObject({ userId, reason: z.enum(keyReasons), keyId, ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, reason: 'regenerated', keyId: '9f86d081884c7d65', ...exampleOrigin },
});

/** Why a single key ended, rather than all of its account. */
const keyEndings = ['revoked', 'displaced'] as const;

/** Stream `security-<user>`; the origin is that of the request. */
export const ApiKeyEnded = defineEvent({
  type: 'ApiKeyEnded',
  description: 'One API key of an account stopped being valid: it was revoked or replaced by a newer one.',
  schema: z.strictObject({ userId, reason: z.enum(keyEndings), keyId, ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, reason: 'revoked', keyId: '9f86d081884c7d65', ...exampleOrigin },
});

/** Stream `security-<user>`. */
export const OwnDataExported = defineEvent({
  type: 'OwnDataExported',
  description: 'A person requested or downloaded a copy of everything that is stored about them.',
  schema: z.strictObject({ userId, step: z.enum(['requested', 'downloaded']), ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, step: 'requested', ...exampleOrigin },
});

export const securityEvents = [
  LoggedIn,
  LogInFailed,
  LogInFailuresCounted,
  ApiKeyIssued,
  ApiKeyEnded,
  OwnDataExported,
] as const;
export type SecurityEvent = EventOf<(typeof securityEvents)[number]>;
