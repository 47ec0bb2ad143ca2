import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller.js';

/** Maximum length of a stored client name. */
const MAX_LENGTH = 100;

/** Name of the client program: the User-Agent up to its first slash. */
export function clientName(userAgent: string | undefined): string {
  return userAgent?.split('/', 1)[0]?.trim().slice(0, MAX_LENGTH) || 'Unspecified';
}

/** Where a request comes from. */
export interface RequestOrigin {
  /** The client's IP address, as trusted proxies (`TRUSTED_PROXIES`) report it; empty: unknown. */
  readonly address: string;
  /** Name of the client program: the User-Agent up to its first slash. */
  readonly client: string;
}

/** The origin of a request, with or without authentication. */
export function originOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): RequestOrigin {
  return { address: ip, client: clientName(headers['user-agent']) };
}

/** The origin of a request that was authenticated. */
export function originOfCaller({ address = '', client }: Pick<Caller, 'address' | 'client'>): RequestOrigin {
  return { address, client };
}

/** Injects the {@link RequestOrigin} into a controller's method, with or without authentication. */
export const Origin = createParamDecorator((_data: unknown, context: ExecutionContext): RequestOrigin =>
  originOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
