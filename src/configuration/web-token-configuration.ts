import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { ConfigurationError, list, oneOf, type ReadVariable } from './configuration-values.js';

/** The kind of key for each algorithm, by RFC 7518 and RFC 8037. */
const keyKinds = {
  HS256: 'secret',
  HS384: 'secret',
  HS512: 'secret',
  RS256: 'rsa',
  RS384: 'rsa',
  RS512: 'rsa',
  PS256: 'rsa',
  PS384: 'rsa',
  PS512: 'rsa',
  ES256: 'ec prime256v1',
  ES384: 'ec secp384r1',
  ES512: 'ec secp521r1',
  EdDSA: 'ed25519',
} as const;

type Algorithm = keyof typeof keyKinds;

/** How the tokens of POST /jwt/fetch_api_key are verified. */
export interface WebTokenConfiguration {
  readonly key: KeyObject;
  /** The accepted algorithms. A token cannot choose any other one. */
  readonly algorithms: readonly string[];
  readonly claims: RequiredClaims;
}

/**
 * Claims that a token must have besides the address; null: not required. `exp` and `nbf` are always checked if
 * present.
 */
interface RequiredClaims {
  /** `aud`: the intended recipient, or one of them. */
  readonly audience: string | null;
  /** `iss`: the issuer. */
  readonly issuer: string | null;
  /** Whether the token must have an expiry time (`exp`). */
  readonly requiresExpiry: boolean | null;
}

/** Why the configuration of web tokens is invalid: the variable and the reason. It never contains the key. */
interface WebTokenFault {
  readonly variable: 'JWT_AUTH_KEY' | 'JWT_AUTH_ALGORITHMS';
  readonly fault: string;
}

/**
 * Reads the key that verifies tokens: a secret for the HS algorithms, a public key in PEM for the others. All
 * algorithms must use the same kind of key: otherwise a public key, which everyone may know, could be used as a
 * secret.
 *
 * @param key null: not configured
 * @param names the configured algorithms; none: HS256
 */
function webTokenConfiguration(
  key: string | null,
  names: readonly string[],
  claims: RequiredClaims,
): WebTokenConfiguration | WebTokenFault | null {
  if (key === null) {
    const needing = names.length > 0 ? 'JWT_AUTH_ALGORITHMS' : claimVariable(claims);
    return needing === null ? null : { variable: 'JWT_AUTH_KEY', fault: `is needed with ${needing}` };
  }
  const algorithms = names.length === 0 ? ['HS256'] : names;
  const known = algorithms.filter(isAlgorithm);
  const kinds = new Set(known.map((name) => keyKinds[name]));
  const [kind] = kinds;
  if (known.length < algorithms.length || kind === undefined || kinds.size > 1) {
    const fault = `must list algorithms for one kind of key, of ${Object.keys(keyKinds).join(', ')}`;
    return { variable: 'JWT_AUTH_ALGORITHMS', fault };
  }
  const verifying = kind === 'secret' ? secretKey(key, known) : publicKey(key, { kind, algorithms: known });
  return 'fault' in verifying ? verifying : { ...verifying, claims };
}

/** The variable of the first required claim; null: no claim is required. */
function claimVariable({ audience, issuer, requiresExpiry }: RequiredClaims): string | null {
  if (audience !== null) return 'JWT_AUTH_AUDIENCE';
  if (issuer !== null) return 'JWT_AUTH_ISSUER';
  return requiresExpiry === null ? null : 'JWT_AUTH_REQUIRE_EXPIRY';
}

type VerifyingKey = Omit<WebTokenConfiguration, 'claims'>;

/** Whether the configuration is invalid. */
function isWebTokenFault(read: WebTokenConfiguration | WebTokenFault | null): read is WebTokenFault {
  return read !== null && 'fault' in read;
}

function isAlgorithm(name: string): name is Algorithm {
  return Object.hasOwn(keyKinds, name);
}

/** Shorter secrets can be guessed. */
const SHORTEST_SECRET = 16;

function secretKey(key: string, algorithms: readonly Algorithm[]): VerifyingKey | WebTokenFault {
  if (key.includes('-----BEGIN'))
    return { variable: 'JWT_AUTH_KEY', fault: 'must be a secret, not a PEM key' };
  if (key.length < SHORTEST_SECRET) {
    return { variable: 'JWT_AUTH_KEY', fault: `must have at least ${SHORTEST_SECRET} characters` };
  }
  return { key: createSecretKey(key, 'utf8'), algorithms };
}

/** Line breaks may be written as `\n`, because some tools cannot put line breaks into the environment. */
function publicKey(
  pem: string,
  { kind, algorithms }: { readonly kind: string; readonly algorithms: readonly Algorithm[] },
): VerifyingKey | WebTokenFault {
  try {
    const key = createPublicKey(pem.replaceAll('\\n', '\n'));
    const curve = key.asymmetricKeyDetails?.namedCurve;
    const given = [key.asymmetricKeyType, curve].filter((part) => part !== undefined).join(' ');
    if (given === kind) return { key, algorithms };
  } catch {
    // OpenSSL's error message may quote the key.
  }
  return { variable: 'JWT_AUTH_KEY', fault: `must be a public key in PEM for ${algorithms.join(', ')}` };
}

export function webTokensFrom(read: ReadVariable): WebTokenConfiguration | null {
  const expiry = read('JWT_AUTH_REQUIRE_EXPIRY');
  const claims = {
    audience: read('JWT_AUTH_AUDIENCE'),
    issuer: read('JWT_AUTH_ISSUER'),
    requiresExpiry:
      expiry === null ? null : oneOf('JWT_AUTH_REQUIRE_EXPIRY', expiry, ['true', 'false']) === 'true',
  };
  const found = webTokenConfiguration(read('JWT_AUTH_KEY'), list(read('JWT_AUTH_ALGORITHMS')), claims);
  if (isWebTokenFault(found)) throw new ConfigurationError(`${found.variable} ${found.fault}.`);
  return found;
}
