import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { textsOf } from '../narrow/compile.js';
import type { Term } from '../narrow/terms.js';
import type { MessageSelection } from '../message-selection.js';
import { MessageReader } from '../message-reader.js';
import { readPage } from '../narrow/page.js';
import type { MessageFormat } from '../view/reader.js';

/** The members of the reply, `messages` as JSON text. */
export interface MessagesPage {
  /** Absent when messages were asked for by their ids. */
  readonly anchor?: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: false;
  readonly messages: string;
}

/** Reads messages (specification, GET /messages). */
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

  async execute({ caller, request: { selection, narrow, format } }: GetMessages): Promise<MessagesPage> {
    const reading = await this.messages.open(caller);
    if (selection.type === 'ids') {
      const found = await reading.byIds(selection.ids, narrow);
      const messages = await reading.write(found, format, textsOf(narrow).sought);
      return {
        found_anchor: false,
        found_oldest: false,
        found_newest: false,
        history_limited: false,
        messages,
      };
    }
    const anchor = await reading.place(selection.anchor, narrow);
    const compiled = await reading.compile(narrow);
    const page = await readPage(compiled, { ...selection, anchor }, reading);
    const { foundAnchor, foundOldest, foundNewest } = page;
    return {
      anchor: page.anchor,
      found_anchor: foundAnchor,
      found_oldest: foundOldest,
      found_newest: foundNewest,
      history_limited: false,
      messages: await reading.write(page.messages, format, compiled.texts.sought),
    };
  }
}
