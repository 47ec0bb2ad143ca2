import type { OpenAPIObject } from '@nestjs/swagger';
import type { ControllerEndpoint } from './endpoints.js';
import { operationsOf } from './operations-of.js';

/** The documentation of an endpoint from its comment. */
export interface EndpointComment {
  /** The first sentence, without the full stop. */
  readonly summary: string;
  /** The rest; empty if there is none. */
  readonly description: string;
}

/** A method's comment, and its name. */
const commented = /\/\*\*([^*]*(?:\*(?!\/)[^*]*)*)\*\/\s*(?:async\s+)?(\w+)\(/g;

/** Adds the comment of each endpoint's method to its operation, so that it is written only once. */
export function describeByComments(
  document: OpenAPIObject,
  endpoints: readonly ControllerEndpoint[],
): OpenAPIObject {
  const comments = new Map<string | undefined, EndpointComment>();
  for (const controller of new Set(endpoints.map((endpoint) => endpoint.controller))) {
    for (const [method, comment] of commentsIn(controller.toString())) {
      comments.set(`${controller.name}_${method}`, comment);
    }
  }
  for (const { operation } of operationsOf<{ readonly operationId?: string }>(document)) {
    Object.assign(operation, comments.get(operation.operationId));
  }
  return document;
}

/** The comments by method. They are part of a class's source text, which the engine keeps for `toString`. */
export function commentsIn(source: string): ReadonlyMap<string, EndpointComment> {
  return new Map(
    [...source.matchAll(commented)].map(([, comment = '', name = '']) => [name, endpointComment(comment)]),
  );
}

function endpointComment(comment: string): EndpointComment {
  const text = comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replace(/^@[a-z][^]*/m, '')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .trim();
  const [, summary = text, description = ''] = /^([^]*?)\.(?:\s+([^]*))?$/.exec(text) ?? [];
  return { summary: summary.replaceAll(/\s+/g, ' '), description };
}
