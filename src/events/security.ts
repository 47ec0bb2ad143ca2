import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const userId = z.number().int().positive();

/** Names a key as the list of somebody's own keys does: the first 64 bits of its digest, hexadecimal. */
const keyId = z.string();

/** Where a request came from: both are the person's, and go with their key. */
const origin = {
  /** The IP address of the client, behind trusted proxies as they tell it. Empty: it is not known. */
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

/** Name of the stream that holds how somebody got into an account, or tried to. */
export function securityStream(accountId: number): string {
  return `security-${accountId}`;
}

/** How people prove who they are. */
const logInMethods = ['password', 'web-token', 'openid-connect'] as const;

/** Stream `security-<user>`. */
export const LoggedIn = defineEvent({
  type: 'LoggedIn',
  description: 'A person proved who they are, and was given an API key.',
  schema: z.strictObject({ userId, method: z.enum(logInMethods), keyId, ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, method: 'password', keyId: '9f86d081884c7d65', ...exampleOrigin },
});

/** Why somebody was not let in. */
const logInFailures = ['wrong-password', 'wrong-second-factor', 'too-many-attempts', 'deactivated'] as const;

/** Stream `security-<user>`. Of one person few are recorded within an hour, and the others counted: {@link LogInFailuresCounted}. */
export const LogInFailed = defineEvent({
  type: 'LogInFailed',
  description: 'Somebody tried to log in to an account, and was not let in.',
  schema: z.strictObject({ userId, reason: z.enum(logInFailures), ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, reason: 'wrong-password', ...exampleOrigin },
});

/** Stream `security-<user>`. */
export const LogInFailuresCounted = defineEvent({
  type: 'LogInFailuresCounted',
  description: 'Further attempts to log in to an account failed, too many to be recorded one by one.',
  schema: z.strictObject({
    userId,
    count: z.number().int().positive(),
    /** When the first of them was; milliseconds since the UNIX epoch. */
    since: z.number().int(),
    /** When the last of them was. */
    until: z.number().int(),
  }),
  example: { userId: 3, count: 120, since: 1_767_225_600_000, until: 1_767_229_100_000 },
});

/** For what keys are given out beside logging in. */
const keyReasons = ['joined', 'regenerated', 'bot-created'] as const;

/** Stream `security-<user>`; the origin is that of whoever asked. */
export const ApiKeyIssued = defineEvent({
  type: 'ApiKeyIssued',
  description: 'An API key of an account was given out, other than by logging in.',
  schema: z.strictObject({ userId, reason: z.enum(keyReasons), keyId, ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, reason: 'regenerated', keyId: '9f86d081884c7d65', ...exampleOrigin },
});

/** Why a key ended alone, and not with all of its account. */
const keyEndings = ['revoked', 'displaced'] as const;

/** Stream `security-<user>`; the origin is that of whoever asked. */
export const ApiKeyEnded = defineEvent({
  type: 'ApiKeyEnded',
  description: 'One API key of an account ended: it was revoked, or gave way to a newer one.',
  schema: z.strictObject({ userId, reason: z.enum(keyEndings), keyId, ...origin }),
  erasable: erasableOrigin(),
  example: { userId: 3, reason: 'revoked', keyId: '9f86d081884c7d65', ...exampleOrigin },
});

/** Stream `security-<user>`. */
export const OwnDataExported = defineEvent({
  type: 'OwnDataExported',
  description: 'A person asked for a copy of everything that is stored about them, or downloaded it.',
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
