import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { budgets } from '../../kernel/budgets.js';
import type { PastMoment } from '../moment.js';
import { atRest, candidates } from '../past/conversation/candidates.js';
import type { Conversation } from '../past/conversation/conversation.js';
import { PastMessages, type PastMessage } from '../past/conversation/past-messages.js';
import { openScene, pastPlace, type PastScene, type Sight } from '../past/conversation/past-scene.js';
import { PastSources } from '../past/past-sources.js';

/** A page of a conversation, and when. */
export interface PastPage {
  readonly conversation: Conversation;
  readonly at: PastMoment;
  /** Whose eyes it is seen with; null: all of it is. */
  readonly viewerId: number | null;
  /** Id of a message, which need not be there. */
  readonly anchor: number;
  /** Earlier messages than the anchor. */
  readonly before: number;
  /** The anchor's, and later ones. */
  readonly after: number;
}

/** A message of a page: what it said, who had written it, and how it was seen. */
export type ShownMessage = PastMessage & {
  /** As they were called then; null: nothing is known. */
  readonly sender_name: string | null;
  /** Null: it is not asked for anybody's eyes. */
  readonly sight: Sight | null;
};

/** A conversation as it was. */
export interface PastConversation {
  readonly as_of: { readonly position: number; readonly time: number };
  /** Whether the account that it is seen by existed and was active then; null: it is nobody's view. */
  readonly viewer: PastScene['viewer'];
  /** Rising by their ids. */
  readonly messages: readonly ShownMessage[];
  /** An id from which earlier messages are asked for; null: there are none. */
  readonly older: number | null;
  /** An id from which later messages are asked for; null: there are none. */
  readonly newer: number | null;
}

/** Reads a conversation as it was at a moment. Whether the caller may, and that they did, was decided and recorded before. */
export class GetPastConversation extends Query<PastConversation> {
  constructor(
    readonly caller: Caller,
    readonly page: PastPage,
  ) {
    super();
  }
}

@QueryHandler(GetPastConversation)
export class GetPastConversationHandler implements IQueryHandler<GetPastConversation> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError as {@link openScene} and {@link pastPlace}, and what the deadline ends it with */
  async execute({ page }: GetPastConversation): Promise<PastConversation> {
    const { deadline } = this.sources;
    const at = await pastPlace(this.sources, page.at);
    const names = await this.sources.names.lookup(deadline);
    const read = async (): Promise<PastConversation> => {
      const scene = await openScene(this.sources, { ...page, at });
      const from = Math.min(page.anchor - 1, at.lastMessageId);
      const older = await this.collect(scene, { from, order: -1, count: page.before });
      const newer = await this.collect(scene, { from: page.anchor, order: 1, count: page.after });
      const messages = [...older.messages.reverse(), ...newer.messages].map((message) => ({
        ...message,
        sender_name: names.nameAt('person', message.sender_id, at.position + 1),
      }));
      const as_of = { position: at.position, time: at.now };
      return { as_of, viewer: scene.viewer, messages, older: older.next, newer: newer.next };
    };
    return atRest(await this.sources.messages.model(), page.conversation, read);
  }

  private async collect(
    scene: PastScene,
    { from, order, count }: { readonly from: number; readonly order: 1 | -1; readonly count: number },
  ): Promise<Collected> {
    const { log, deadline } = this.sources;
    const reader = new PastMessages(log, deadline);
    const collected: Omit<ShownMessage, 'sender_name'>[] = [];
    let characters = 0;
    let looked = 0;
    const search = { conversation: scene.conversation, since: scene.at.position, from, order };
    for await (const message of candidates(scene.model, search, deadline)) {
      if (message._id > scene.at.lastMessageId) break;
      const isFull = collected.length >= count || characters > budgets.pastPageCharacters.max / 2;
      if (isFull || looked >= budgets.pastCandidates.max)
        return { messages: collected, next: order === 1 ? message._id : message._id + 1 };
      looked += 1;
      await scene.know([message]);
      const found = scene.find(message);
      if (found === null) continue;
      const read = await reader.read({ message, place: found.place, position: scene.at.position });
      characters += (read.content?.length ?? 0) + (read.rendered_content?.length ?? 0);
      collected.push({ ...read, sight: found.sight });
    }
    return { messages: collected, next: null };
  }
}

interface Collected {
  readonly messages: Omit<ShownMessage, 'sender_name'>[];
  readonly next: number | null;
}
