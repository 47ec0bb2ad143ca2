import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Networks to which bots send no requests unless an operator allows it: this machine, private networks, and
 * addresses of more than one machine.
 */
const closed: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  // Prefixes that embed an IPv4 address.
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
];

/** A host is in a network that is closed to requests of bots. The error's message contains no address. */
export class ClosedNetworkError extends Error {
  override readonly name = 'ClosedNetworkError';
  constructor() {
    super('The host is in a private network');
  }
}

/** Decides to which addresses bots may send requests. */
export class OpenNetworks {
  private readonly closed = blockList(closed);
  private readonly allowed: BlockList;

  /** @param allowed private networks that are open, such as `10.1.0.0/16` */
  constructor(allowed: readonly string[]) {
    this.allowed = blockList(allowed.map(partsOf));
  }

  isOpen(address: string): boolean {
    const family = isIP(address);
    if (family === 0) return false;
    const kind = kindOf(address);
    return this.allowed.check(address, kind) || !this.closed.check(address, kind);
  }

  /** Resolves a name for a connection, which then uses exactly the address that was checked. */
  readonly lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error !== null) done(error, []);
      else if (first === undefined || found.some(({ address }) => !this.isOpen(address))) {
        done(new ClosedNetworkError(), []);
      } else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

function partsOf(network: string): readonly [string, number] {
  const [address = '', prefix] = network.split('/');
  return [address, prefix === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(prefix)];
}

function blockList(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, kindOf(address));
  return list;
}

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
