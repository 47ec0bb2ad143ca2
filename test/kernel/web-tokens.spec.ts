import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignJWT, type JWTPayload } from 'jose';
import { readConfiguration } from '../../src/config.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { MAX_TOKEN_LENGTH, WebTokens } from '../../src/contexts/users/web-tokens.js';
import { atTheTime } from '../support/given.js';
import { standIn } from '../support/stand-in.js';

const secret = 'a secret of enough characters';
const email = 'ada@example.com';
const now = Math.floor(atTheTime / 1000);

function pem(key: KeyObject): string {
  return key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }) as string;
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed25519 = generateKeyPairSync('ed25519');

function tokens(key?: string, algorithms?: string, claims: Record<string, string> = {}): WebTokens {
  const environment = { JWT_AUTH_KEY: key, JWT_AUTH_ALGORITHMS: algorithms, ...claims };
  return new WebTokens(readConfiguration(environment).webTokens, { now: () => atTheTime });
}

function signed(alg: string, key: KeyObject | string, claims: JWTPayload = { email }): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg })
    .sign(typeof key === 'string' ? new TextEncoder().encode(key) : key);
}

async function refused(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(() => null).catch((reason: unknown) => reason);
  return error instanceof ApplicationError ? `${error.row}: ${error.message}` : String(error);
}

const wrong = 'invalidWebToken: Invalid JSON Web Token: its signature or form is wrong';

describe('a web token', () => {
  it('speaks for the address in its claim when the secret signed it', async () => {
    const token = await signed('HS256', secret);
    await expect(tokens(secret).emailOf(token)).resolves.toBe(email);
  });

  it.each([
    ['RS256', rsa],
    ['PS512', rsa],
    ['ES256', p256],
    ['EdDSA', ed25519],
  ])('is verified by %s with a public key', async (algorithm, { publicKey, privateKey }) => {
    const token = await signed(algorithm, privateKey);
    const verifying = tokens(pem(publicKey).replaceAll('\n', '\\n'), algorithm);
    await expect(verifying.emailOf(token)).resolves.toBe(email);
  });

  it.each([
    {
      variable: 'JWT_AUTH_REQUIRE_EXPIRY',
      value: 'true',
      right: { exp: now + 60 },
      wrongClaims: {},
      fault: 'it does not say when it expires',
    },
    {
      variable: 'JWT_AUTH_AUDIENCE',
      value: 'palimpsest',
      right: { aud: ['else', 'palimpsest'] },
      wrongClaims: { aud: 'else' },
      fault: 'it is not meant for this server',
    },
    {
      variable: 'JWT_AUTH_AUDIENCE',
      value: 'palimpsest',
      right: { aud: 'palimpsest' },
      wrongClaims: {},
      fault: 'it is not meant for this server',
    },
    {
      variable: 'JWT_AUTH_ISSUER',
      value: 'https://id.example',
      right: { iss: 'https://id.example' },
      wrongClaims: { iss: 'https://else.example' },
      fault: 'it comes from somebody else',
    },
    {
      variable: 'JWT_AUTH_ISSUER',
      value: 'https://id.example',
      right: { iss: 'https://id.example' },
      wrongClaims: {},
      fault: 'it comes from somebody else',
    },
  ])('must say what $variable=$value asks for: $fault', async (asked) => {
    const { variable, value, right, wrongClaims, fault } = asked;
    const strict = tokens(secret, undefined, { [variable]: value });
    await expect(strict.emailOf(await signed('HS256', secret, { email, ...right }))).resolves.toBe(email);
    const refusal = await refused(strict.emailOf(await signed('HS256', secret, { email, ...wrongClaims })));
    expect(refusal).toBe(`invalidWebToken: Invalid JSON Web Token: ${fault}`);
    expect(() => tokens(undefined, undefined, { [variable]: value })).toThrow(
      `JWT_AUTH_KEY is needed with ${variable}`,
    );
  });

  it('has no say in how it is verified', async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"email":"${email}"}`).toString('base64url')}.`;
    expect(await refused(tokens(secret).emailOf(unsigned))).toBe(wrong);
    expect(await refused(tokens(secret).emailOf(await signed('HS512', secret)))).toBe(wrong);
    await expect(tokens(secret, 'HS256, HS512').emailOf(await signed('HS512', secret))).resolves.toBe(email);
    const publicKey = pem(rsa.publicKey);
    const confused = await signed('HS256', publicKey);
    expect(await refused(tokens(publicKey, 'RS256').emailOf(confused))).toBe(wrong);
  });

  it.each([
    ['another secret signed it', () => signed('HS256', `${secret}!`)],
    ['its claims were changed', async () => (await signed('HS256', secret)).replace(/\.[^.]+\./, '.e30.')],
    ['it is none', () => Promise.resolve('not a token')],
  ])('is refused when %s', async (_what, make) => {
    expect(await refused(tokens(secret).emailOf(await make()))).toBe(wrong);
  });

  it('is refused when it is missing', async () => {
    expect(await refused(tokens(secret).emailOf(''))).toMatch('webTokenMissing');
  });

  it('counts from its beginning to its end, to the second', async () => {
    const at = async (claims: JWTPayload): Promise<string> =>
      refused(tokens(secret).emailOf(await signed('HS256', secret, { email, ...claims })));
    expect(await at({ nbf: now, exp: now + 1 })).toBe('null');
    expect(await at({ exp: now })).toBe('invalidWebToken: Invalid JSON Web Token: it has expired');
    expect(await at({ nbf: now + 1 })).toBe('invalidWebToken: Invalid JSON Web Token: it is not valid yet');
    expect(await at({ exp: standIn<number>('soon') })).toBe(wrong);
  });

  it.each([{}, { email: '' }, { email: 7 }, { sub: email }])(
    'is refused with the claims %j',
    async (claims) => {
      const token = await signed('HS256', secret, claims);
      expect(await refused(tokens(secret).emailOf(token))).toBe(
        'webTokenWithoutEmail: Invalid JSON Web Token: no e-mail address in its claims',
      );
    },
  );

  it('is not looked at when it is too long', async () => {
    const token = await signed('HS256', secret, { email, padding: 'a'.repeat(MAX_TOKEN_LENGTH) });
    expect(await refused(tokens(secret).emailOf(token))).toBe(
      'webTokenTooLong: Invalid JSON Web Token: the token is too long',
    );
  });

  it('is refused where none are configured', async () => {
    expect(await refused(tokens().emailOf(await signed('HS256', secret)))).toMatch('webTokensNotConfigured');
    expect(await refused(tokens().emailOf(''))).toMatch('webTokensNotConfigured');
  });
});

describe('a configuration of web tokens', () => {
  it.each<{ what: string; key?: string; algorithms?: string; expected: RegExp }>([
    { what: 'algorithms without a key', algorithms: 'HS256', expected: /^JWT_AUTH_KEY is needed/ },
    {
      what: 'an unknown algorithm',
      key: secret,
      algorithms: 'HS256, none',
      expected: /^JWT_AUTH_ALGORITHMS must list/,
    },
    {
      what: 'algorithms for two kinds of key',
      key: secret,
      algorithms: 'HS256, RS256',
      expected: /^JWT_AUTH_ALGORITHMS must list/,
    },
    {
      what: 'algorithms for two curves',
      key: pem(p256.publicKey),
      algorithms: 'ES256, ES384',
      expected: /^JWT_AUTH_ALGORITHMS must list/,
    },
    { what: 'a secret that is guessed', key: 'secret', expected: /^JWT_AUTH_KEY must have at least 16/ },
    {
      what: 'a public key for a secret',
      key: pem(rsa.publicKey),
      algorithms: 'HS256',
      expected: /^JWT_AUTH_KEY must be a secret/,
    },
    {
      what: 'a secret for a public key',
      key: secret,
      algorithms: 'RS256',
      expected: /^JWT_AUTH_KEY must be a public key in PEM for RS256/,
    },
    {
      what: 'a key of another kind',
      key: pem(rsa.publicKey),
      algorithms: 'ES256',
      expected: /^JWT_AUTH_KEY must be a public key in PEM/,
    },
    {
      what: 'a key on another curve',
      key: pem(p256.publicKey),
      algorithms: 'ES384',
      expected: /^JWT_AUTH_KEY must be a public key in PEM/,
    },
  ])('is refused with $what, and the key is not repeated', ({ key, algorithms, expected }) => {
    const read = (): WebTokens => tokens(key, algorithms);
    expect(read).toThrow(expected);
    expect(read).not.toThrow(key ?? 'nothing of the kind');
  });
});
