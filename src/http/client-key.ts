import type { FastifyReply } from 'fastify';
import { networkOf } from './limits/request-limits.js';
import type { RequestState } from './request-state.js';

/** An account, or a network if the request is not authenticated. */
export type ClientKey = number | string;

/** Who gets a reply. */
export function clientKeyOf({ request }: FastifyReply): ClientKey {
  // A path that cannot be decoded is refused before the request has a state.
  const state = request.state as RequestState | undefined;
  return state?.caller?.userId ?? networkOf(request.ip);
}
