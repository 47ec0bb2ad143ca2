import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OwnerOf } from '../../access/account-owners.js';
import type { Configuration } from '../../config.js';
import { budgets } from '../../kernel/budgets.js';
import type { Clock } from '../../kernel/clock.js';
import type { RequestState } from '../request-state.js';
import { RateLimiter, RateLimitError, setQuotaHeaders } from './rate-limiter.js';

const MINUTE = 60_000;

/** How many refused credentials an address may send in a minute before it has to wait. */
const REFUSED_CREDENTIALS_PER_MINUTE = 100;

/** The requests of each account, and those of each person and all their bots together. */
interface OwnersLimit {
  readonly ofAccount: RateLimiter;
  readonly ofOwner: RateLimiter;
}

function ownersLimit(limit: number, clock: Clock): OwnersLimit {
  const rate = { limit, milliseconds: MINUTE };
  return {
    ofAccount: new RateLimiter(rate, clock),
    ofOwner: new RateLimiter({ ...rate, limit: limit * budgets.requestsOfOwner.max }, clock),
  };
}

/** The kinds of requests that are counted separately: waiting for events, asking for the status of something, and all others. */
export type RequestKind = 'poll' | 'status' | 'other';

/** Rate limits for requests. `RATE_LIMIT_PER_MINUTE=0` turns all of them off. */
export class RequestLimits {
  private readonly requests: Readonly<Record<RequestKind, OwnersLimit>>;
  private readonly refusals: RateLimiter;

  /** @param ownerOf the owners of bots, who share a wider limit with all their bots */
  constructor(
    { rateLimitPerMinute: limit }: Pick<Configuration, 'rateLimitPerMinute'>,
    clock: Clock,
    private readonly ownerOf: OwnerOf = (userId) => userId,
  ) {
    this.requests = {
      poll: ownersLimit(limit, clock),
      status: ownersLimit(limit, clock),
      other: ownersLimit(limit, clock),
    };
    const refusals = limit === 0 ? 0 : REFUSED_CREDENTIALS_PER_MINUTE;
    this.refusals = new RateLimiter({ limit: refusals, milliseconds: MINUTE }, clock);
  }

  /**
   * Counts a request of an account, or of an address if it is not authenticated. The requests of a person and all
   * their bots also count together. The reply has the headers of the limit of which less is left.
   *
   * @param kind the kind of the endpoint (see {@link SeparateRateLimit})
   * @throws RateLimitError when there were too many
   */
  countRequest(request: FastifyRequest, reply: FastifyReply, kind: RequestKind = 'other'): void {
    const { ofAccount, ofOwner } = this.requests[kind];
    const userId = request.state.caller?.userId;
    const own = ofAccount.take(userId ?? addressOf(request));
    if (own.limit === 0) return;
    const shared = userId === undefined || !own.allowed ? own : ofOwner.take(this.ownerOf(userId));
    const quota = !shared.allowed || shared.remaining < own.remaining ? shared : own;
    setQuotaHeaders(reply, quota);
    if (!quota.allowed) throw new RateLimitError(quota);
  }

  /**
   * Counts refused credentials from an address. Valid credentials are accepted however many wrong ones came
   * before: people share addresses, and one must not lock out the others. Keys are too long to be guessed.
   *
   * @throws RateLimitError when there were too many
   */
  countRefusal(request: FastifyRequest): void {
    const quota = this.refusals.take(addressOf(request));
    if (!quota.allowed) throw new RateLimitError(quota);
  }
}

function addressOf({ ip }: FastifyRequest): string {
  return networkOf(ip);
}

/** An account, or a network if the request is not authenticated. */
export type ClientKey = number | string;

/** Who gets a reply. */
export function clientKeyOf({ request }: FastifyReply): ClientKey {
  // A path that cannot be decoded is refused before the request has a state.
  const state = request.state as RequestState | undefined;
  return state?.caller?.userId ?? networkOf(request.ip);
}

/** An IPv6 customer usually has a whole /64, so that counts as one address. */
export function networkOf(ip: string): string {
  return ip.includes(':') && !ip.startsWith('::ffff:') ? `${expanded(ip).slice(0, 4).join(':')}::/64` : ip;
}

function expanded(ip: string): readonly string[] {
  const [head = '', tail] = ip.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  return [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
}
