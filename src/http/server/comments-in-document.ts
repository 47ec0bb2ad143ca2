import type { OpenAPIObject } from '@nestjs/swagger';
import type { ControllerEndpoint } from './endpoints.js';
import { operationsOf } from './operations-of.js';

/** What the comment on an endpoint says of it. */
export interface EndpointComment {
  /** Its first sentence, without the full stop. */
  readonly summary: string;
  /** What follows that; empty where nothing does. */
  readonly description: string;
}

/** A comment of a method, and the method's name. */
const commented = /\/\*\*([^*]*(?:\*(?!\/)[^*]*)*)\*\/\s*(?:async\s+)?(\w+)\(/g;

/** Tells of each operation what the comment on its method says: that is written once. */
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

/** By method; the source of a class, which the engine keeps for `toString`, holds its comments. */
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
