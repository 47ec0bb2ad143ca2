import { BlockList, isIP } from 'node:net';
import { OperatorError } from '../kernel/errors.js';

/**
 * An environment variable with a value that the server cannot start with. Every function in this file throws it.
 * The message is a sentence that names the variable.
 */
export class ConfigurationError extends OperatorError {
  override readonly name = 'ConfigurationError';
}

/** The items of a comma-separated list, trimmed. */
export function list(value: string | null): string[] {
  return (value ?? '').split(',').flatMap((entry) => entry.trim() || []);
}

/** A whole number from 0 to `max`, which has at most seven digits. */
export function wholeNumber(name: string, value: string, max: number): number {
  return between(name, value, { min: 0, max });
}

/** A whole number from 1 to a million. */
export function atLeastOne(name: string, value: string): number {
  return between(name, value, { min: 1, max: 1_000_000 });
}

/** A whole number from one bound to another. */
export function between(
  name: string,
  value: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (/^\d{1,7}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new ConfigurationError(`${name} must be a whole number from ${min} to ${max}, but is "${value}".`);
}

/** One of several words, in any case. */
export function oneOf<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((candidate) => candidate === value.toLowerCase());
  if (choice !== undefined) return choice;
  throw new ConfigurationError(`${name} must be one of ${choices.join(', ')}, but is "${value}".`);
}

/** An e-mail address without a name, such as `owner@example.com`. */
export function emailAddress(name: string, value: string): string {
  if (value.length <= 254 && /^[^\s@"<>:]+@[^\s@"<>:]+$/.test(value)) return value;
  throw new ConfigurationError(`${name} must be an e-mail address, but is "${value}".`);
}

/** An e-mail address with or without a name: `Palimpsest <chat@example.com>`. */
export function mailbox(name: string, value: string | null): string | null {
  if (value === null || /^(?:[^<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>"]+@[^\s@<>"]+)$/u.test(value))
    return value;
  throw new ConfigurationError(
    `${name} must be an address such as Chat <chat@example.com>, but is "${value}".`,
  );
}

/** A connection string. It may contain a password, so errors never repeat it. */
export function serverUrl(name: string, value: string | null, schemes: readonly string[]): string | null {
  if (
    value === null ||
    schemes.some((scheme) => value.length > scheme.length + 2 && value.startsWith(`${scheme}//`))
  ) {
    return value;
  }
  throw new ConfigurationError(
    `${name} must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')} and name a server.`,
  );
}

/** The address of a mail server. It may contain a password, so errors never repeat it. */
export function smtpUrl(name: string, value: string | null): string | null {
  const url = serverUrl(name, value, ['smtp:', 'smtps:']);
  if (url === null || (URL.canParse(url) && new URL(url).hostname !== '')) return url;
  throw new ConfigurationError(
    `${name} must be an address such as smtp://user:password@host:587, with what is special in the password written as %XX.`,
  );
}

/** An http or https address; returned without trailing slashes. */
export function webAddress(name: string, value: string | null): string | null {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = url !== null && !url.username && !url.password && !url.search && !url.hash;
  if (plain && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href.replace(/\/+$/, '');
  throw new ConfigurationError(
    `${name} must be an http or https address without credentials, query or fragment.`,
  );
}

/** An IP address, a network, or one of the predefined names of proxy networks. */
export function network(name: string, value: string): string {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value) || isNetwork(value)) return value;
  throw new ConfigurationError(
    `${name} must list IP addresses and networks such as 10.0.0.0/8, but holds "${value}".`,
  );
}

/** An IP address or a network. */
export function subnet(name: string, value: string): string {
  if (isNetwork(value)) return value;
  throw new ConfigurationError(
    `${name} must list IP addresses and networks such as 10.0.0.0/8, but holds "${value}".`,
  );
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1,
      family === 6 ? 'ipv6' : 'ipv4',
    );
    return true;
  } catch {
    // Node throws for a prefix length that the address family does not allow.
    return false;
  }
}

/** A secret of at least 16 characters. Errors never repeat it. */
export function secret(name: string, value: string | null): string | null {
  if (value === null || value.length >= 16) return value;
  throw new ConfigurationError(`${name} must have at least 16 characters.`);
}

/** Reads the trimmed value of a variable; null: absent or empty. */
export type ReadVariable = (name: string) => string | null;
