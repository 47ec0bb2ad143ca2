import type { PushRelay } from './push-relay.js';

/** The configured relay; null: none, and nothing is sent to devices. */
export class ConfiguredRelay {
  constructor(readonly relay: PushRelay | null) {}
}
