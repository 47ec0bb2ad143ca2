import type { FastifyInstance } from 'fastify';
import { staticImages } from '../static-images.js';

/** Seconds. */
const ONE_DAY = 86_400;

/** Serves the images that clients expect at fixed paths, outside the API and without authentication. */
export function registerStaticImages(fastify: FastifyInstance): void {
  for (const [path, { contentType, bytes }] of staticImages) {
    fastify.get(`/${path}`, (_request, reply) =>
      reply.header('cache-control', `public, max-age=${ONE_DAY}`).type(contentType).send(bytes),
    );
  }
}
