import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { budgets } from '../../../../kernel/budgets.js';
import type { PastMoment } from '../../../moment.js';
import { atRest, candidates } from '../candidates.js';
import type { Conversation } from '../conversation.js';
import { PastMessages, type PastMessage } from '../past-messages.js';
import { changesAround, type ChangesAround } from '../changes-around.js';
import {
  openPastConversation,
  resolveMoment,
  type PastConversationView,
  type PastVisibility,
} from '../past-conversation-view.js';
import { PastSources } from '../../past-sources.js';
import { Query, QueryHandler } from '../../../../runtime/nest-decorators.js';

/** Which page of a conversation, and at which moment. */
interface PastPage {
  readonly conversation: Conversation;
  readonly at: PastMoment;
  /** Whose permissions apply; null: everything is visible. */
  readonly viewerId: number | null;
  /** Id of a message, which need not exist. */
  readonly anchor: number;
  /** Maximum number of messages before the anchor. */
  readonly before: number;
  /** Maximum number of messages from the anchor on, inclusive. */
  readonly after: number;
  /** Whether to find the changes around the moment. */
  readonly withChanges: boolean;
}

/** A message of a page, with its sender and how it was visible. */
export type ShownMessage = PastMessage & {
  /** The sender's name at that time; null: unknown. */
  readonly sender_name: string | null;
  /** Null: there is no viewer. */
  readonly sight: PastVisibility | null;
};

/** A conversation as it was. */
export interface PastConversation {
  readonly as_of: { readonly position: number; readonly time: number };
  /** Whether the viewer's account existed and was active; null: there is no viewer. */
  readonly viewer: PastConversationView['viewer'];
  /** The viewer's name at that time, or the present one of an account that did not exist yet; null: unknown, or no viewer. */
  readonly viewer_name: string | null;
  /** In ascending order of ids. */
  readonly messages: readonly ShownMessage[];
  /** Anchor for the page of earlier messages; null: there are none. */
  readonly older: number | null;
  /** Anchor for the page of later messages; null: there are none. */
  readonly newer: number | null;
  /** Absent: they were not requested. */
  readonly changes?: ChangesAround;
}

/** Reads a conversation as it was at a moment. The caller checks the permission and records the access. */
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

  /** @throws ApplicationError like {@link openPastConversation} and {@link resolveMoment}; the error of the deadline */
  async execute({ page }: GetPastConversation): Promise<PastConversation> {
    const { deadline } = this.sources;
    const at = await resolveMoment(this.sources, page.at);
    const names = await this.sources.names.lookup(deadline);
    const read = async (): Promise<PastConversation> => {
      const scene = await openPastConversation(this.sources, { ...page, at });
      const from = Math.min(page.anchor - 1, at.lastMessageId);
      const older = await this.collect(scene, { from, order: -1, count: page.before });
      const newer = await this.collect(scene, { from: page.anchor, order: 1, count: page.after });
      const nameThen = (id: number) => names.nameAt('person', id, at.position + 1);
      const nameNow = (id: number) => names.nameAt('person', id, Number.MAX_SAFE_INTEGER);
      const messages = [...older.messages.reverse(), ...newer.messages].map((message) => ({
        ...message,
        sender_name: nameThen(message.sender_id),
      }));
      const as_of = { position: at.position, time: at.now };
      const { viewer } = scene;
      const viewer_name = page.viewerId === null ? null : (nameThen(page.viewerId) ?? nameNow(page.viewerId));
      return { as_of, viewer, viewer_name, messages, older: older.next, newer: newer.next };
    };
    const past = await atRest(await this.sources.messages.model(), page.conversation, read);
    if (!page.withChanges) return past;
    return { ...past, changes: await changesAround(this.sources, page.conversation, at.position) };
  }

  private async collect(
    scene: PastConversationView,
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
