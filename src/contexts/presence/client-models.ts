import type { Presence } from './presence.js';

/** The source of client events about presence. */
export interface PresenceModels {
  /** The person's presence, whether or not others may see it; null when they were not here lately. */
  presence(userId: number): Presence | null;
}
