import { jsonWith } from '../../../kernel/json.js';
import { budgets } from '../../../kernel/budgets.js';
import type { OrganizationSettings } from '../../../events/values/organization-settings.js';
import type { ModelStore } from '../../../stores/read-store/port.js';
import type { NarrowContext } from '../narrow/compiled-narrow.js';
import { markedTexts } from '../text-search/highlight.js';
import type { TextQuery } from '../text-search/text-query.js';
import { writeUntilFull, type BoundedReply } from './write-until-full.js';
import type { CachedMessage } from './cached-message.js';
import { noHistory, readHistories, type HistoryByMessage, type MessageHistory } from './edit-history.js';
import type { MessageCache, MessageState } from './message-cache.js';
import type { MessageFormat } from './flags.js';
import { writeMessage } from './write-message.js';

/** What a {@link MessageSerializer} needs. */
interface MessageSerializerOptions {
  readonly model: ModelStore;
  readonly context: NarrowContext;
  readonly cache: MessageCache;
}

/** Serializes messages as JSON, with the part of their history that the organization lets people see. */
export class MessageSerializer {
  constructor(private readonly options: MessageSerializerOptions) {}

  /**
   * The JSON of as many messages, from the first on, as fit into a reply, each as the person is to see it,
   * with the searched words marked.
   */
  serialize(
    states: readonly MessageState[],
    format: MessageFormat,
    sought: TextQuery | null = null,
  ): Promise<BoundedReply<MessageState>> {
    const { cache, model } = this.options;
    return writeUntilFull(states, async (some) => {
      const messages = await cache.load(model, some);
      const texts = await this.textsOf(messages, format);
      if (sought === null) return texts;
      const marked = messages.map(({ document }): [number, string] => {
        return [document._id, jsonWith(texts.get(document._id)!, markedTexts(document, sought, format))];
      });
      return new Map(marked);
    });
  }

  /** How much of edits and moves the organization lets people see. */
  get historyPolicy(): OrganizationSettings['message_edit_history_visibility_policy'] {
    const { organization } = this.options.context.snapshot.directory;
    return organization?.settings.message_edit_history_visibility_policy ?? 'none';
  }

  /** The edits and moves of a message that the organization lets people see. */
  async visibleHistory(message: CachedMessage): Promise<MessageHistory> {
    const histories = await this.visibleHistories([message], budgets.historyBytes.max);
    return histories.get(message.document._id) ?? noHistory;
  }

  private async textsOf(
    messages: readonly CachedMessage[],
    format: MessageFormat,
  ): Promise<ReadonlyMap<number, string>> {
    const reader = { ...this.options.context, ...format };
    const histories = await this.visibleHistories(messages, budgets.historyBytesInPage.max);
    return new Map(
      messages.map((message) => {
        const { _id } = message.document;
        return [_id, writeMessage(message, reader, (histories.get(_id) ?? noHistory).entries)];
      }),
    );
  }

  /** @param bytes maximum length of the texts of one message's history, in UTF-16 units */
  private async visibleHistories(
    messages: readonly CachedMessage[],
    bytes: number,
  ): Promise<HistoryByMessage> {
    if (this.historyPolicy === 'none') return new Map();
    const documents = messages.map(({ document }) => document);
    return readHistories(this.options.model, documents, {
      movesOnly: this.historyPolicy === 'moves',
      bytes,
    });
  }
}
