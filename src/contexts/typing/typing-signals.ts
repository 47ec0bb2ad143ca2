import { Injectable } from '@nestjs/common';
import { EphemeralEvents } from '../../realtime/ephemeral-events.js';
import { SignalExchange } from '../../realtime/signals/signal-exchange.js';
import type { OutgoingSignal } from '../../realtime/signals/signal.js';
import { editingEvents, typingEvents, type EditingSignal, type TypingSignal } from './client-events.js';

/** So long a client believes that somebody types who says nothing more, in milliseconds. */
const typingExpiry = 45_000;

/** As other processes are told: one subject for each person and place. */
export function typingSignal(content: TypingSignal): OutgoingSignal {
  const { senderId, recipient } = content;
  const place =
    recipient.type === 'channel' ? `${recipient.channelId}:${recipient.topic}` : recipient.userIds.join(',');
  return { content, subject: `typing:${senderId}:${recipient.type}:${place}`, lifetime: typingExpiry };
}

/** As other processes are told: one subject for each person and message. */
function editingSignal(content: EditingSignal): OutgoingSignal {
  const { senderId, messageId } = content;
  return { content, subject: `typing:${senderId}:message:${messageId}`, lifetime: typingExpiry };
}

/** Tells the clients of this process who types, and other processes for theirs. */
@Injectable()
export class TypingSignals {
  constructor(
    private readonly events: EphemeralEvents,
    private readonly exchange: SignalExchange,
  ) {
    exchange.hear<TypingSignal>('typing', (signal) => this.publish(signal));
    exchange.hear<EditingSignal>('typing_edit_message', (signal) => this.publishEditing(signal));
  }

  /** Somebody begins or ceases to type. */
  tell(signal: TypingSignal): void {
    this.publish(signal);
    this.exchange.send(typingSignal(signal));
  }

  /** Somebody begins or ceases to edit a message. */
  tellEditing(signal: EditingSignal): void {
    this.publishEditing(signal);
    this.exchange.send(editingSignal(signal));
  }

  private publishEditing(signal: EditingSignal): void {
    this.events.publish((moment) => editingEvents(signal, moment));
  }

  private publish(signal: TypingSignal): void {
    this.events.publish((moment) => typingEvents(signal, moment));
  }
}
