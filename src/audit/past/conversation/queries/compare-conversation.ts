import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { budgets } from '../../../../kernel/budgets.js';
import type { PastMoment } from '../../../moment.js';
import { atRest } from '../candidates.js';
import { comparedMessages, countUntouched, type ComparedMessage } from '../compared-messages.js';
import type { Conversation, StoredMessage } from '../conversation.js';
import { PastMessages } from '../past-messages.js';
import {
  openPastConversation,
  resolveMoment,
  type ComparedViews,
  type ResolvedMoment,
  type PastConversationView,
} from '../past-conversation-view.js';
import { unchangedRanges } from '../unchanged-ranges.js';
import { PastSources } from '../../past-sources.js';
import { Query, QueryHandler } from '../../../../runtime/nest-decorators.js';
import { textChanges, type TextChange } from '../../../message-timeline/text-changes.js';
import type { ShownMessage } from './get-past-conversation.js';

/** Which conversation to compare, and between which two moments. */
interface Comparing {
  readonly conversation: Conversation;
  readonly from: PastMoment;
  readonly to: PastMoment;
  /** See `PastPage`. */
  readonly viewerId: number | null;
  /** Only messages with greater ids. */
  readonly after: number;
  /** Maximum number of differences. */
  readonly limit: number;
}

/** How a message differs between two moments. */
interface Difference {
  readonly kind: 'came' | 'went' | 'changed';
  /** Why the message came or went; null for changed messages. */
  readonly because: 'sent' | 'deleted' | 'moved' | 'permissions' | null;
  /** Null: it was not there. */
  readonly before: ShownMessage | null;
  readonly after: ShownMessage | null;
  /** Only for a changed text: the parts that stayed, came and went. */
  readonly text: readonly TextChange[] | null;
}

/** What differs between two moments of a conversation. */
export interface Comparison {
  readonly from: { readonly position: number; readonly time: number };
  readonly to: { readonly position: number; readonly time: number };
  /** In ascending order of message ids. */
  readonly differences: readonly Difference[];
  /** How many messages with ids up to `after` were the same at both moments. */
  readonly unchanged: number;
  /** All messages up to this id were compared; null: all messages were. */
  readonly after: number | null;
  /** Id of the last message at the later moment. */
  readonly last_message_id: number;
}

/** Compares two moments of a conversation. The caller checks the permission and records the access. */
export class CompareConversation extends Query<Comparison> {
  constructor(
    readonly caller: Caller,
    readonly comparing: Comparing,
  ) {
    super();
  }
}

@QueryHandler(CompareConversation)
export class CompareConversationHandler implements IQueryHandler<CompareConversation> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError like {@link openPastConversation} and {@link resolveMoment}; the error of the deadline */
  async execute({ comparing }: CompareConversation): Promise<Comparison> {
    const one = await resolveMoment(this.sources, comparing.from);
    const other = await resolveMoment(this.sources, comparing.to);
    const [earlier, later] = one.position <= other.position ? [one, other] : [other, one];
    const names = await this.sources.names.lookup(this.sources.deadline);
    const nameThen = (id: number, { position }: ResolvedMoment): string | null =>
      names.nameAt('person', id, position + 1);
    return atRest(await this.sources.messages.model(), comparing.conversation, async () => {
      const scenes: Scenes = {
        before: await openPastConversation(this.sources, { ...comparing, at: earlier }),
        after: await openPastConversation(this.sources, { ...comparing, at: later }),
        nameThen,
      };
      return this.compare(scenes, comparing);
    });
  }

  private async compare(scenes: Scenes, { after, limit }: Comparing): Promise<Comparison> {
    const { log, deadline } = this.sources;
    const differences: Difference[] = [];
    let unchanged = 0;
    let looked = 0;
    let characters = 0;
    let last = after;
    const reader = new PastMessages(log, deadline);
    const untouched = unchangedRanges(scenes);
    for await (const compared of comparedMessages(scenes, { after, untouched }, deadline)) {
      const isFull = differences.length >= limit || characters > budgets.pastPageCharacters.max / 2;
      if (isFull || looked >= budgets.pastCandidates.max) {
        unchanged += await countUntouched(scenes, untouched, [after, last]);
        return this.done(scenes, { differences, unchanged, after: last });
      }
      looked += 1;
      const found = await differenceOf(compared, scenes, reader);
      if (found === 'same') unchanged += 1;
      else if (found !== 'absent') {
        differences.push(found);
        for (const shown of [found.before, found.after])
          characters += (shown?.content?.length ?? 0) + (shown?.rendered_content?.length ?? 0);
      }
      last = compared.message._id;
    }
    unchanged += await countUntouched(scenes, untouched, [after, Infinity]);
    return this.done(scenes, { differences, unchanged, after: null });
  }

  private done(
    { before: { at: from }, after: { at: to } }: Scenes,
    found: Pick<Comparison, 'differences' | 'unchanged' | 'after'>,
  ): Comparison {
    return {
      from: { position: from.position, time: from.now },
      to: { position: to.position, time: to.now },
      ...found,
      last_message_id: to.lastMessageId,
    };
  }
}

interface Scenes extends ComparedViews {
  readonly nameThen: (id: number, at: ResolvedMoment) => string | null;
}

async function differenceOf(
  { message, isChanged }: ComparedMessage,
  { before, after, nameThen }: Scenes,
  reader: PastMessages,
): Promise<Difference | 'same' | 'absent'> {
  const [was, is] = [before.find(message), after.find(message)];
  if (was === null && is === null) return 'absent';
  const isAlike = was?.place.moves === is?.place.moves && was?.sight === is?.sight;
  if (was !== null && is !== null && isAlike && !isChanged) return 'same';
  const read = async (found: typeof was, { at }: PastConversationView): Promise<ShownMessage | null> =>
    found && {
      ...(await reader.read({ message, place: found.place, position: at.position })),
      sender_name: nameThen(message.senderId, at),
      sight: found.sight,
    };
  const shown = { before: await read(was, before), after: await read(is, after) };
  if (shown.before === null)
    return { kind: 'came', because: whyCame(message, { before, after, nameThen }), ...shown, text: null };
  if (shown.after === null)
    return { kind: 'went', because: whyWent(message, { before, after, nameThen }), ...shown, text: null };
  if (stateOf(shown.before) === stateOf(shown.after)) return 'same';
  const [textBefore, textAfter] = [shown.before.content ?? '', shown.after.content ?? ''];
  const text = textBefore === textAfter ? null : textChanges(textBefore, textAfter);
  return { kind: 'changed', because: null, ...shown, text };
}

function whyCame({ _id, ...message }: StoredMessage, scenes: Scenes): Difference['because'] {
  if (_id > scenes.before.at.lastMessageId) return 'sent';
  return wasMoved({ _id, ...message }, scenes) ? 'moved' : 'permissions';
}

function whyWent(message: StoredMessage, scenes: Scenes): Difference['because'] {
  if (message.deletedAt !== null && message.deletedAt <= scenes.after.at.position) return 'deleted';
  return wasMoved(message, scenes) ? 'moved' : 'permissions';
}

/** Whether it was in a different place at the two moments. */
function wasMoved(message: StoredMessage, { before, after }: Scenes): boolean {
  return (
    before.placeAt(message, before.at.position).moves !== after.placeAt(message, after.at.position).moves
  );
}

/** What a viewer would notice if it changed. */
function stateOf({ content, topic, channel_id, reactions, sight }: ShownMessage): string {
  return JSON.stringify([content, topic, channel_id, reactions, sight]);
}
