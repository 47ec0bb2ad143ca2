import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { fitsPattern, type PathSegments } from '../path-pattern.js';
import { MAX_PATH_PARAMETER_LENGTH } from './limits.js';

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** The endpoint for a method and a path. */
interface Endpoint {
  /** Pattern of the path. */
  readonly url: string;
  /** Decoded parameters of the path. */
  readonly parameters: PathSegments;
  readonly handle: RouteHandler;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

/**
 * Knows every route, beside the server's own router, which cannot tell which other methods a path supports.
 */
export class RouteIndex {
  private readonly router = createRouter({ maxParamLength: MAX_PATH_PARAMETER_LENGTH });

  /** Records the routes that are registered from now on. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => this.add(route));
  }

  /** The endpoint for a method and a path; null when there is none. */
  find(method: string, url: string): Endpoint | null {
    const found = this.router.find(method as HTTPMethod, pathOf(url));
    if (found === null || !fitsPattern(found.params)) return null;
    return { ...(found.store as Pick<Endpoint, 'url' | 'handle'>), parameters: found.params };
  }

  /** The methods that a path supports; empty when no endpoint has the path. */
  methodsAt(url: string): readonly string[] {
    return methods.filter((method) => this.find(method, url) !== null);
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
