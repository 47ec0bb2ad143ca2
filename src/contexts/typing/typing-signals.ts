import { Injectable } from '@nestjs/common';
import { EphemeralEvents } from '../../realtime/ephemeral-events.js';
import { SignalExchange } from '../../realtime/signals/signal-exchange.js';
import type { OutgoingSignal } from '../../realtime/signals/signal.js';
import { editingEvents, typingEvents, type EditingSignal, type TypingSignal } from './client-events.js';

/** Milliseconds after which clients assume that a person stopped typing. */
const typingExpiry = 45_000;

/** The signal to other processes; one subject for each person and place. */
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
