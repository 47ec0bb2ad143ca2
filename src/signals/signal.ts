import { rememberedFor } from '../presence/presence.js';
import type { EphemeralEvent } from '../realtime/translations/ephemeral.js';

/** What processes tell each other of: all that clients are told of though it is no fact to keep. */
export type Signal = EphemeralEvent;

/** So long a client believes that somebody types who says nothing more, in milliseconds. */
const typingExpiry = 45_000;

/** What a signal is about: of several about the same only the latest counts. */
export function subjectOf(signal: Signal): string {
  switch (signal.type) {
    case 'presence':
      return `presence:${signal.presence.userId}`;
    case 'typing': {
      const { senderId, recipient } = signal;
      const place =
        recipient.type === 'channel'
          ? `${recipient.channelId}:${recipient.topic}`
          : recipient.userIds.join(',');
      return `typing:${senderId}:${recipient.type}:${place}`;
    }
  }
}

/** For how long a signal is worth something, in milliseconds. */
export function lifetimeOf(signal: Signal): number {
  switch (signal.type) {
    case 'presence':
      return rememberedFor;
    case 'typing':
      return typingExpiry;
  }
}
