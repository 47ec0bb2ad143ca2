import type { FastifyInstance } from 'fastify';
import { fitsPattern, type PathSegments } from '../path-pattern.js';
import type { RouteIndex } from './route-index.js';
import { answerUnrouted } from './unrouted.js';

/** Replies 404 to a request whose path has the shape of a route but does not fit it. */
export function registerPathCheck(fastify: FastifyInstance, index: RouteIndex): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    if (fitsPattern(request.params as PathSegments)) done();
    else answerUnrouted(index, request, reply);
  });
}
