import type { Query, QueryBus } from '@nestjs/cqrs';
import type { OwnerOf } from '../access/account-owners.js';
import { clientGone } from '../http/client-gone.js';
import { type SuccessFields, WrittenReply } from '../http/envelope.js';
import type { RawJson } from '../kernel/json.js';
import type { ReaderPool } from './reader-pool.js';
import type { CallersQuery, ReaderQueries } from './reader-query.js';

/** Answers queries outside of the request thread. */
export abstract class Readers {
  /** Returns the reply to a query. @throws the errors of the query's handler, and ApplicationError `queryTimeout` */
  abstract answer(query: CallersQuery): Promise<SuccessFields | RawJson | WrittenReply>;

  /** Returns the result of a query, copied from its thread. @throws as {@link answer} */
  abstract ask<Result>(query: CallersQuery & Query<Result>): Promise<Result>;
}

/** Answers queries on reader threads. */
export class ThreadedReaders extends Readers {
  constructor(
    private readonly pool: ReaderPool,
    private readonly kinds: ReaderQueries,
    /** Bots take turns with their owners: many bots of one person delay only that person. */
    private readonly ownerOf: OwnerOf,
  ) {
    super();
  }

  override async answer(query: CallersQuery): Promise<WrittenReply> {
    const { reply } = await this.run(query, true);
    if (reply === null) throw new Error('A reader thread answered without a reply');
    return new WrittenReply(reply);
  }

  override async ask<Result>(query: CallersQuery & Query<Result>): Promise<Result> {
    return (await this.run(query, false)).result as Result;
  }

  private run(query: CallersQuery, asReply: boolean): ReturnType<ReaderPool['run']> {
    const kind = query.constructor.name;
    const known = this.kinds(kind);
    const { caller, ...rest } = query;
    return this.pool.run({
      kind,
      input: { ...query },
      asReply,
      account: this.ownerOf(caller.userId),
      deduplicationKey: [kind, asReply, caller.userId, caller.client, rest],
      isLong: known.isLong?.(query) ?? false,
      shape: known.shape?.(query) ?? '',
      signal: known.isForCommand === true ? null : clientGone(caller),
    });
  }
}

/** Answers queries on the calling thread, where they delay no other requests. */
export class InlineReaders extends Readers {
  constructor(
    private readonly queries: QueryBus,
    private readonly kinds: ReaderQueries,
  ) {
    super();
  }

  override async answer(query: CallersQuery): Promise<SuccessFields | RawJson> {
    const kind = this.kinds(query.constructor.name);
    return kind.reply(await this.queries.execute(query as CallersQuery & Query<unknown>));
  }

  override ask<Result>(query: CallersQuery & Query<Result>): Promise<Result> {
    return this.queries.execute(query);
  }
}
