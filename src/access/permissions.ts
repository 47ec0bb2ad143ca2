/**
 * All permissions; each is decided here and nowhere else. They are judged by the snapshot that is passed in,
 * so the same code answers for the past.
 */
export * from './acquaintances.js';
export * from './channel-permissions.js';
export * from './conversation-permissions.js';
export * from './message-permissions.js';
export * from './people-permissions.js';
