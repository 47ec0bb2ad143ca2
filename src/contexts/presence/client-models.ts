import type { Presence } from './presence.js';

/** What tells clients who is here. */
export interface PresenceModels {
  /** Whether the person is here, seen by others or not; null when they were not here lately. */
  presence(userId: number): Presence | null;
}
