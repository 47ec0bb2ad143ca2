import type { Directory } from '../../access/directory.js';
import { alertedBy } from '../../contexts/attention/alert-matching.js';
import { evolveAttention, noAttention } from '../../contexts/attention/attention.state.js';
import { messageAccess } from '../../contexts/messages/access.js';
import {
  evolveFlags,
  noFlags,
  type FlaggedMessage,
  type PersonalFlags,
} from '../../contexts/messages/flags/flags.state.js';
import type { MessageDocument } from '../../contexts/messages/message-document.js';
import type { Placements } from '../../contexts/messages/placements.js';
import { flagsOf } from '../../contexts/messages/view/flags.js';
import type { AlertWordsAdded, AlertWordsRemoved } from '../../events/attention.js';
import type { FlagEvent } from '../../events/message-flags.js';
import { MessageEdited, MessageSent, type Mentions } from '../../events/messages.js';
import { isEvent, type Recorded, type RecordedEvent } from '../../kernel/event.js';
import { foldCase } from '../../kernel/text.js';
import { isReadable } from '../../stores/event-store/readable-events.js';
import type { MessageLocation } from '../message-timeline/message-track.js';
import type { TimelineStep } from '../message-timeline/message-timeline.js';
import type { SentFacts } from './audience-marks.js';
import type { StoredMessage } from './conversation/conversation.js';

/** The fields of a message that show what was visible. */
export interface SeenMessage {
  /** Raw Markdown. */
  readonly content: string;
  /** The topic; empty for direct messages. */
  readonly subject: string;
  /** Absent for direct messages. */
  readonly stream_id?: number;
  readonly flags: readonly string[];
}

/** An event that can change what a person sees of a message, besides those that decide access. */
export type ViewEvent =
  | { readonly kind: 'step'; readonly event: TimelineStep }
  | { readonly kind: 'mark'; readonly event: RecordedEvent<FlagEvent> }
  | { readonly kind: 'words'; readonly event: Recorded<typeof AlertWordsAdded | typeof AlertWordsRemoved> };

/** What the read model knows of a message. */
export interface MessageFacts {
  readonly message: StoredMessage;
  /** How the message came to each of its channels, in order. */
  readonly arrivals: readonly number[];
  readonly placements: Placements;
  readonly sent: SentFacts;
}

/** What access and flags depend on. */
type LocatedMessage = FlaggedMessage & Pick<MessageDocument, 'participantIds' | 'mentions' | 'alertedIds'>;

const noMentions: Mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };

/** A message through the eyes of one person, as of the last event that was applied. */
export class ViewedMessage {
  /** Null: it was not sent yet, is deleted, or cannot be read. */
  private location: MessageLocation | null = null;
  private channelChanges = 0;
  private text = { content: '', mentions: noMentions, isAlert: false };
  private flags: PersonalFlags = noFlags;
  private attention = noAttention;

  /**
   * @param facts null: the read model does not have the message
   * @param directory as of the last event, too: the caller applies the events that change it
   */
  constructor(
    private readonly facts: MessageFacts | null,
    private readonly directory: Directory,
    private readonly userId: number,
  ) {}

  take({ kind, event }: ViewEvent): void {
    if (kind === 'mark') this.flags = evolveFlags(this.flags, event);
    else if (kind === 'words') this.attention = evolveAttention(this.attention, event);
    else this.takeStep(event);
  }

  private takeStep({ change, event }: TimelineStep): void {
    if (change.kind === 'sent') this.location = change.location;
    if (change.kind === 'deleted') this.location = null;
    if (change.kind === 'moved') {
      if (channelOf(change.from) !== channelOf(change.to)) this.channelChanges += 1;
      this.location = change.to;
    }
    if (!isReadable(event) || !isEvent(event, MessageSent, MessageEdited)) return;
    const { content, mentions } = event.data;
    const words = this.attention.alertWords.map(foldCase);
    const listeners = words.map((word) => ({ word, userIds: [this.userId] }));
    this.text = { content, mentions, isAlert: alertedBy(content, listeners).length > 0 };
  }

  /** @param now milliseconds since the UNIX epoch */
  at(now: number): SeenMessage | null {
    const { facts, location, directory } = this;
    const user = directory.user(this.userId);
    if (facts === null || location === null || user?.isActive !== true) return null;
    const viewer = { snapshot: { directory, now }, user, placements: facts.placements };
    const message = this.locatedMessage(facts, location);
    if (messageAccess(viewer, message) === 'none') return null;
    return {
      content: this.text.content,
      subject: location.type === 'channel' ? location.topic : '',
      flags: flagsOf(message, { ...viewer, flags: this.flags }),
      ...(location.type === 'channel' && { stream_id: location.channelId }),
    };
  }

  private locatedMessage(
    { message, arrivals, sent }: MessageFacts,
    location: MessageLocation,
  ): LocatedMessage {
    const { _id, senderId, participantIds, givenToIds } = message;
    const { mentions, isAlert } = this.text;
    const arrival = arrivals[this.channelChanges] ?? UNKNOWN_ARRIVAL;
    const place = { channelId: channelOf(location), arrival, participantIds, givenToIds };
    return { _id, senderId, ...place, ...sent, mentions, alertedIds: isAlert ? [this.userId] : [] };
  }
}

/** No placement has this number, so nobody received the message by it. */
const UNKNOWN_ARRIVAL = -1;

function channelOf(location: MessageLocation): number | null {
  return location.type === 'channel' ? location.channelId : null;
}
