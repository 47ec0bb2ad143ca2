import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { MessageReader } from '../message-reader.js';
import { textsOf } from '../narrow/compile.js';
import type { Term } from '../narrow/terms.js';
import { writeUntilFull } from '../view/bounded-reply.js';
import { markedTexts, type MarkedTexts } from '../text-search/marked-texts.js';

/** Finds which of some messages match a narrow, by their ids (`GET /messages/matches_narrow`). */
export class MatchNarrow extends Query<Readonly<Record<string, MarkedTexts>>> {
  constructor(
    readonly caller: Caller,
    readonly ids: readonly number[],
    readonly narrow: readonly Term[],
  ) {
    super();
  }
}

@QueryHandler(MatchNarrow)
export class MatchNarrowHandler implements IQueryHandler<MatchNarrow> {
  constructor(private readonly messages: MessageReader) {}

  async execute({ caller, ids, narrow }: MatchNarrow): Promise<Readonly<Record<string, MarkedTexts>>> {
    const session = await this.messages.open(caller);
    const { sought } = textsOf(narrow);
    const found = await session.within(ids, narrow);
    const matches: Record<string, MarkedTexts> = {};
    const { texts, left } = await writeUntilFull(found, async (states) => {
      const marked = (await session.load(states)).map(({ document }) => {
        const match = markedTexts(document, sought, { allowEmptyTopicName: false });
        matches[document._id] = match;
        return [document._id, JSON.stringify(match)] as const;
      });
      return new Map(marked);
    });
    if (left.length > 0) throw failure('replyTooLarge', { fitting: texts.size });
    return matches;
  }
}
