import type { INestApplicationContext } from '@nestjs/common';
import type { z } from 'zod';

/** The fields of a success beside those of the envelope. */
export type ReplyFields = z.ZodRawShape;

/** A success that is JSON. */
export interface DescribedFields {
  readonly kind: 'fields';
  /** Several where what is answered depends on the request. */
  readonly alternatives: readonly (ReplyFields | DelayedFields)[];
}

/** A success that statuses and headers tell, as another protocol has it: without the envelope. */
export interface DescribedStatuses {
  readonly kind: 'statuses';
  /** What each status says. */
  readonly statuses: Readonly<Record<number, string>>;
  /** What some of them have as their body; null: none has one. */
  readonly body: { readonly of: readonly number[]; readonly schema: z.ZodType } | null;
}

/** What an endpoint answers when it succeeds. */
export type DescribedReply =
  | DescribedFields
  | DescribedStatuses
  | { readonly kind: 'file'; readonly contentTypes: readonly string[] }
  | { readonly kind: 'redirect' };

/** Fields that what makes up the application says, which the endpoint's own stratum does not know. */
export type DelayedFields = (application: INestApplicationContext) => ReplyFields;

const REPLY_OF_ENDPOINT = 'palimpsest:reply';

/**
 * Describes the fields of a success on the documentation page. Tests compare what is answered: a field that is not described
 * fails them.
 *
 * @param alternatives one, or several where what is answered depends on the request; none: nothing but the envelope
 */
export function Reply(...alternatives: readonly (ReplyFields | DelayedFields)[]): MethodDecorator {
  return describe({ kind: 'fields', alternatives: alternatives.length === 0 ? [{}] : alternatives });
}

/** Describes a success that is a file, of one of some content types. */
export function ReplyFile(...contentTypes: readonly string[]): MethodDecorator {
  return describe({ kind: 'file', contentTypes });
}

/** Describes a success that leads elsewhere. */
export function ReplyRedirect(): MethodDecorator {
  return describe({ kind: 'redirect' });
}

/** Describes successes that statuses and headers tell, as another protocol has it. */
export function ReplyStatuses(
  statuses: DescribedStatuses['statuses'],
  body: DescribedStatuses['body'] = null,
): MethodDecorator {
  return describe({ kind: 'statuses', statuses, body });
}

/** What an endpoint's method answers; undefined where it does not say. */
export function replyOf(prototype: object, method: string): DescribedReply | undefined {
  return Reflect.getMetadata(REPLY_OF_ENDPOINT, prototype, method) as DescribedReply | undefined;
}

function describe(reply: DescribedReply): MethodDecorator {
  return (target, method) => Reflect.defineMetadata(REPLY_OF_ENDPOINT, reply, target, method);
}
