import { Injectable } from '@nestjs/common';
import { EphemeralEvents } from '../../realtime/ephemeral-events.js';
import { SignalExchange } from '../../realtime/signals/signal-exchange.js';
import type { OutgoingSignal } from '../../realtime/signals/signal.js';
import { editingEvents, typingEvents, type EditingSignal, type TypingSignal } from './client-events.js';

/** So long a client believes that somebody types who says nothing more, in milliseconds. */
const typingExpiry = 45_000;

/** As other processes are told: one subject for each person and what they write at. */
export function typingSignal(content: TypingSignal | EditingSignal): OutgoingSignal {
  return { content, subject: `typing:${content.senderId}:${placeOf(content)}`, lifetime: typingExpiry };
}

function placeOf(content: TypingSignal | EditingSignal): string {
  if (content.type === 'typing_edit_message') return `message:${content.messageId}`;
  const { recipient } = content;
  return recipient.type === 'channel'
    ? `channel:${recipient.channelId}:${recipient.topic}`
    : `direct:${recipient.userIds.join(',')}`;
}

/** Tells the clients of this process who types and who edits a message, and other processes for theirs. */
@Injectable()
export class TypingSignals {
  constructor(
    private readonly events: EphemeralEvents,
    private readonly exchange: SignalExchange,
  ) {
    exchange.hear<TypingSignal>('typing', (signal) => this.publish(signal));
    exchange.hear<EditingSignal>('typing_edit_message', (signal) => this.publish(signal));
  }

  /** Somebody begins or ceases. */
  tell(signal: TypingSignal | EditingSignal): void {
    this.publish(signal);
    this.exchange.send(typingSignal(signal));
  }

  private publish(signal: TypingSignal | EditingSignal): void {
    this.events.publish((snapshot) =>
      signal.type === 'typing' ? typingEvents(signal, snapshot) : editingEvents(signal, snapshot),
    );
  }
}
