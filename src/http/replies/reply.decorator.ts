import type { INestApplicationContext } from '@nestjs/common';
import type { z } from 'zod';

/** The fields of a success beside those of the envelope. */
export type ReplyFields = z.ZodRawShape;

/** A success that is JSON. */
export interface DescribedFields {
  readonly kind: 'fields';
  /** Several if the fields depend on the request. */
  readonly alternatives: readonly (ReplyFields | DelayedFields)[];
}

/** A success in another protocol, without the envelope: described by its statuses and headers. */
interface DescribedStatuses {
  readonly kind: 'statuses';
  /** The description of each status. */
  readonly statuses: Readonly<Record<number, string>>;
  /** The schema of the body, and the statuses that have it; null: none has a body. */
  readonly body: { readonly of: readonly number[]; readonly schema: z.ZodType } | null;
}

/** The documented success of an endpoint. */
export type DescribedReply =
  | DescribedFields
  | DescribedStatuses
  | { readonly kind: 'file'; readonly contentTypes: readonly string[] }
  | { readonly kind: 'redirect' };

/** Fields that depend on the application's modules, which the endpoint's own stratum does not know. */
type DelayedFields = (application: INestApplicationContext) => ReplyFields;

const REPLY_OF_ENDPOINT = 'palimpsest:reply';

/**
 * Documents the fields of a success. Tests compare replies with it: an undocumented field fails them.
 *
 * @param alternatives several if the fields depend on the request; none: only the envelope
 */
export function Reply(...alternatives: readonly (ReplyFields | DelayedFields)[]): MethodDecorator {
  return describe({ kind: 'fields', alternatives: alternatives.length === 0 ? [{}] : alternatives });
}

/** Documents a success that is a file, of one of these content types. */
export function ReplyFile(...contentTypes: readonly string[]): MethodDecorator {
  return describe({ kind: 'file', contentTypes });
}

/** Documents a success that is a redirect. */
export function ReplyRedirect(): MethodDecorator {
  return describe({ kind: 'redirect' });
}

/** Documents successes in another protocol, by statuses and headers. */
export function ReplyStatuses(
  statuses: DescribedStatuses['statuses'],
  body: DescribedStatuses['body'] = null,
): MethodDecorator {
  return describe({ kind: 'statuses', statuses, body });
}

/** The documented reply of an endpoint's method; undefined if there is none. */
export function replyOf(prototype: object, method: string): DescribedReply | undefined {
  return Reflect.getMetadata(REPLY_OF_ENDPOINT, prototype, method) as DescribedReply | undefined;
}

function describe(reply: DescribedReply): MethodDecorator {
  return (target, method) => Reflect.defineMetadata(REPLY_OF_ENDPOINT, reply, target, method);
}
