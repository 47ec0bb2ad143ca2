import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { fitsPattern, type PathSegments } from '../path-pattern.js';
import { MAX_PATH_PARAMETER_LENGTH } from './limits.js';

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** The endpoint that answers a verb and a path. */
export interface Endpoint {
  /** Pattern of the path. */
  readonly url: string;
  /** What the path holds for the pattern's parameters, decoded. */
  readonly parameters: PathSegments;
  readonly handle: RouteHandler;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

/** Knows every route beside the server's own router, which cannot be asked what else a path would answer to. */
export class RouteIndex {
  private readonly router = createRouter({ maxParamLength: MAX_PATH_PARAMETER_LENGTH });

  /** Takes note of the routes that are registered from now on. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => this.add(route));
  }

  /** What answers a verb at a path; null when nothing does. */
  find(method: string, url: string): Endpoint | null {
    const found = this.router.find(method as HTTPMethod, pathOf(url));
    if (found === null || !fitsPattern(found.params)) return null;
    return { ...(found.store as Pick<Endpoint, 'url' | 'handle'>), parameters: found.params };
  }

  /** The verbs that a path answers to; none when no endpoint has the path. */
  methodsAt(url: string): readonly string[] {
    return METHODS.filter((method) => this.find(method, url) !== null);
  }

  private add({ method, url, handler }: RouteOptions): void {
    for (const verb of Array.isArray(method) ? method : [method]) {
      const handle = handler as RouteHandler;
      this.router.on(verb as HTTPMethod, url, () => undefined, { url, handle });
    }
  }
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
