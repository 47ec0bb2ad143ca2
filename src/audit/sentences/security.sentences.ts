import type { SecurityEvent } from '../../events/security.js';
import type { EventFormatter, Sentences, SentenceTable } from './event-formatter.js';
import { counted, quoted, timeOf } from './wording.js';

type Data<Type extends SecurityEvent['type']> = Extract<SecurityEvent, { type: Type }>['data'];

const methods: Readonly<Record<Data<'LoggedIn'>['method'], string>> = {
  password: 'by password',
  'web-token': 'by a web token',
  'openid-connect': 'by the OpenID Connect provider',
};

const failures: Readonly<Record<Data<'LogInFailed'>['reason'], string>> = {
  'wrong-password': 'the password was wrong',
  'wrong-second-factor': 'the code of the second factor was wrong',
  'too-many-attempts': 'too many attempts had failed before',
  deactivated: 'the account is deactivated',
};

const keyReasons: Readonly<Record<Data<'ApiKeyIssued'>['reason'], string>> = {
  joined: 'for joining',
  regenerated: 'to replace all others',
  'bot-created': 'for a new bot',
};

const keyEndings: Readonly<Record<Data<'ApiKeyEnded'>['reason'], string>> = {
  revoked: 'was revoked',
  displaced: 'was replaced by a newer one',
};

/** Log-ins, and attempts to log in. */
const securitySentences: Sentences<SecurityEvent> = {
  LoggedIn: ({ userId, method, keyId, ...origin }, format) =>
    `${format.person(userId)} logged in ${methods[method]}${from(origin)}, and was given API key ${keyId}.`,
  LogInFailed: ({ userId, reason, ...origin }, format) =>
    `A log-in as ${format.person(userId)} failed${from(origin)}: ${failures[reason]}.`,
  LogInFailuresCounted: ({ userId, count, since, until }, format) =>
    `In all, ${counted(count, 'further log-in')} as ${format.person(userId)} failed between ${timeOf(since)} and ${timeOf(until)}.`,
  ApiKeyIssued: ({ userId, reason, keyId, ...origin }, format) =>
    `API key ${keyId} of ${format.person(userId)} was issued${by(userId, format)} ${keyReasons[reason]}${from(origin)}.`,
  ApiKeyEnded: ({ userId, reason, keyId, ...origin }, format) =>
    `API key ${keyId} of ${format.person(userId)} ${keyEndings[reason]}${by(userId, format)}${from(origin)}.`,
  OwnDataExported: ({ userId, step, ...origin }, format) =>
    `${format.person(userId)} ${step} a copy of everything that is stored about them${from(origin)}.`,
};

/** Who acted, where it is not the person. */
function by(userId: number, format: EventFormatter): string {
  return format.isActor(userId) || !format.isByPerson ? '' : ` by ${format.actor}`;
}

/** The address and the client program; a part that is unknown or erased is left out. */
function from({ address, client }: { readonly address: string; readonly client: string }): string {
  const where = address === '' ? '' : ` from ${quoted(address)}`;
  return `${where}${client === '' ? '' : ` with ${quoted(client)}`}`;
}

/** The tables of this file. */
export const securityTables: readonly SentenceTable[] = [securitySentences];
