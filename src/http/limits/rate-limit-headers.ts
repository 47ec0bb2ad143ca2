import type { FastifyReply } from 'fastify';
import type { Quota } from './rate-limiter.js';

/** Sets the headers with the remaining quota, on successes and errors alike. */
export function setQuotaHeaders(reply: FastifyReply, { limit, remaining, resetAt }: Quota): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(resetAt / 1000));
}
