import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Snapshot } from '../../../access/snapshot.js';
import type { Recipient } from '../../../events/messages.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { EphemeralEvents } from '../../../realtime/ephemeral-events.js';
import { SignalExchange, type OutgoingSignal } from '../../../realtime/signals/signal-exchange.js';
import { KnownPeople, knowsEveryone } from '../../../access/known-people.js';
import { refuseEditing } from '../../messages/edits.decide.js';
import { MessageDecisions } from '../../messages/message-decisions.js';
import { editingEvents, typingEvents, type EditingSignal, type TypingSignal } from '../client-events.js';
import {
  editingAudience,
  isTypingShown,
  refuseHidden,
  typingRecipient,
  type TypingPlace,
} from '../typing.js';

/** Milliseconds after which clients assume that a person stopped typing. */
const TYPING_EXPIRY = 45_000;

/** The signal to other processes; one subject for each person and place. */
export function typingSignal(content: TypingSignal | EditingSignal): OutgoingSignal {
  return { content, subject: `typing:${content.senderId}:${placeOf(content)}`, lifetime: TYPING_EXPIRY };
}

function placeOf(content: TypingSignal | EditingSignal): string {
  if (content.type === 'typing_edit_message') return `message:${content.messageId}`;
  const { recipient } = content;
  return recipient.type === 'channel'
    ? `channel:${recipient.channelId}:${recipient.topic}`
    : `direct:${recipient.userIds.join(',')}`;
}

/** Sends typing and editing to the clients of this process, and to other processes. */
@Injectable()
export class TypingSignals {
  constructor(
    private readonly events: EphemeralEvents,
    private readonly exchange: SignalExchange,
  ) {
    exchange.receive<TypingSignal>('typing', (signal) => this.publish(signal));
    exchange.receive<EditingSignal>('typing_edit_message', (signal) => this.publish(signal));
  }

  /** Sends one signal. */
  send(signal: TypingSignal | EditingSignal): void {
    this.publish(signal);
    this.exchange.send(typingSignal(signal));
  }

  private publish(signal: TypingSignal | EditingSignal): void {
    this.events.publish((snapshot) =>
      signal.type === 'typing' ? typingEvents(signal, snapshot) : editingEvents(signal, snapshot),
    );
  }
}

/** Reports that the caller starts or stops typing (`POST /typing`). Nothing of it enters the log. */
export class ReportTyping extends Command<void> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    readonly op: 'start' | 'stop',
    readonly place: TypingPlace,
  ) {
    super();
  }
}

@CommandHandler(ReportTyping)
export class ReportTypingHandler implements ICommandHandler<ReportTyping> {
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
    private readonly signals: TypingSignals,
  ) {}

  /** @throws ApplicationError those of {@link typingRecipient} */
  async execute({ caller, op, place }: ReportTyping): Promise<void> {
    const { user: sender, snapshot } = this.decisions.actor(caller);
    const knows = place.type === 'direct' ? await this.people.predicateFor(sender, snapshot) : knowsEveryone;
    const recipient = typingRecipient({ snapshot, sender, knows }, place);
    if (!isTypingShown(snapshot, recipient)) return;
    const shown = recipient.type === 'direct' ? await this.withStrangers(snapshot, recipient) : recipient;
    this.signals.send({ type: 'typing', op, senderId: sender.id, recipient: shown });
  }

  private async withStrangers(
    snapshot: Snapshot,
    recipient: Extract<Recipient, { readonly type: 'direct' }>,
  ): Promise<TypingSignal['recipient']> {
    const people = recipient.userIds.flatMap((id) => snapshot.directory.user(id) ?? []);
    const strangers = await this.people.strangersAmong(people, snapshot);
    return { ...recipient, strangers: Object.fromEntries(strangers) };
  }
}

/**
 * Reports that the caller starts or stops editing a message (`POST /messages/{message_id}/typing`). Nothing
 * of it enters the log.
 */
export class ReportEditing extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly op: 'start' | 'stop',
    readonly messageId: number,
  ) {
    super();
  }
}

@CommandHandler(ReportEditing)
export class ReportEditingHandler implements ICommandHandler<ReportEditing> {
  constructor(
    private readonly messages: MessageDecisions,
    private readonly signals: TypingSignals,
  ) {}

  /** @throws ApplicationError `invalidMessage`, `typingNotShown`, and those of {@link refuseEditing} */
  async execute({ caller, op, messageId }: ReportEditing): Promise<void> {
    const placed = await this.messages.findVisible(caller, messageId);
    const message = await this.messages.load(placed);
    const { context } = placed.session;
    const { user, snapshot } = context;
    refuseEditing(message, user, snapshot);
    refuseHidden(snapshot, user, message.recipient);
    const userIds = editingAudience(context, placed.place);
    const { recipient } = message;
    const signal = {
      type: 'typing_edit_message',
      op,
      senderId: user.id,
      messageId,
      recipient,
      userIds,
    } as const;
    this.signals.send(signal);
  }
}
