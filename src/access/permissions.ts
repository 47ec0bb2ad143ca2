/**
 * Every question of permission, each decided here and nowhere else. What they judge by is the snapshot that they are
 * given, so the same code answers for the past.
 */
export * from './acquaintances.js';
export * from './channel-permissions.js';
export * from './conversation-permissions.js';
export * from './message-permissions.js';
export * from './people-permissions.js';
