import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { failure } from '../../../kernel/errors.js';
import { RawJson } from '../../../kernel/json.js';
import { MessageReader } from '../message-reader.js';
import type { MessageSelection } from '../message-selection.js';
import type { QuerySession } from '../query-session.js';
import { textsOf } from '../narrow/compile.js';
import { readPage, type Page } from '../narrow/page.js';
import type { Term } from '../narrow/terms.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';
import { markedTexts, type MarkedTexts } from '../text-search/highlight.js';
import { writeUntilFull } from '../view/write-until-full.js';
import type { MessageFormat } from '../view/flags.js';

/** Reads one message. Returns the reply's members as JSON text. */
export class GetMessage extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly format: MessageFormat,
  ) {
    super();
  }
}

@QueryHandler(GetMessage)
export class GetMessageHandler implements IQueryHandler<GetMessage> {
  constructor(private readonly messages: MessageReader) {}

  async execute({ caller, messageId, format }: GetMessage): Promise<string> {
    const session = await this.messages.open(caller);
    const message = await session.get(messageId);
    if (message === null) throw failure('invalidMessage');
    const { texts } = await session.serializer.serialize([message.document], format);
    return `{"message":${texts.get(messageId) ?? 'null'},"raw_content":${JSON.stringify(message.document.content)}}`;
  }
}

/** The members of the reply; `messages` is JSON text. */
interface MessagesPage {
  /** Absent when messages were requested by their ids. */
  readonly anchor?: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: false;
  readonly messages: string;
}

/** Reads messages (`GET /messages`). */
export class GetMessages extends Query<MessagesPage> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly selection: MessageSelection;
      readonly narrow: readonly Term[];
      readonly format: MessageFormat;
    },
  ) {
    super();
  }
}

@QueryHandler(GetMessages)
export class GetMessagesHandler implements IQueryHandler<GetMessages> {
  constructor(private readonly messages: MessageReader) {}

  /** @throws as {@link readMessages} */
  async execute({ caller, request }: GetMessages): Promise<MessagesPage> {
    return readMessages(await this.messages.open(caller), request);
  }
}

/**
 * The requested messages, as a query session sees them.
 *
 * @throws ApplicationError `replyTooLarge` for messages named by their ids; a page around an anchor ends earlier instead
 */
export async function readMessages(
  session: QuerySession,
  { selection, narrow, format }: GetMessages['request'],
): Promise<MessagesPage> {
  if (selection.type === 'ids') {
    const found = await session.byIds(selection.ids, narrow);
    const { texts, left } = await session.serializer.serialize(found, format, textsOf(narrow).sought);
    if (left.length > 0) throw failure('replyTooLarge', { fitting: texts.size });
    return {
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
      messages: jsonArray(texts.values()),
    };
  }
  const placed = await session.place(selection.anchor, narrow);
  const compiled = await session.compile(narrow);
  const page = await readPage(compiled, { ...selection, anchor: placed }, session.search.states);
  const { anchor, messages } = page;
  const { texts, left } = await session.serializer.serialize(
    nearestFirst(page),
    format,
    compiled.texts.sought,
  );
  return {
    anchor,
    found_anchor: page.foundAnchor,
    found_oldest: page.foundOldest && !left.some(({ _id }) => _id < anchor),
    found_newest: page.foundNewest && !left.some(({ _id }) => _id > anchor),
    history_limited: false,
    messages: jsonArray(messages.flatMap(({ _id }) => texts.get(_id) ?? [])),
  };
}

/** The fields of the reply. */
export function messagesReply({ messages, ...members }: MessagesPage): SuccessFields {
  return { messages: new RawJson(messages), ...members };
}

/**
 * The messages of a page by their distance from the anchor, alternating between both sides, so that what does
 * not fit into the reply is farthest from it.
 */
function nearestFirst<Row extends { readonly _id: number }>({ anchor, messages }: Page<Row>): readonly Row[] {
  const at = messages.filter(({ _id }) => _id === anchor);
  const below = messages.filter(({ _id }) => _id < anchor).reverse();
  const above = messages.filter(({ _id }) => _id > anchor);
  const sides = Array.from({ length: Math.max(below.length, above.length) }, (_, distance) => [
    ...below.slice(distance, distance + 1),
    ...above.slice(distance, distance + 1),
  ]);
  return [...at, ...sides.flat()];
}

/** Concatenated rather than joined, so that a long page is copied only once, when it is sent. */
function jsonArray(items: Iterable<string>): string {
  let text = '';
  for (const item of items) text += text === '' ? item : `,${item}`;
  return `[${text}]`;
}

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
