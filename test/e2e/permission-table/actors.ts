/** Everyone who tries. All but the outsider are subscribed to both channels; the bot is the member's. */
export const actors = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'guest',
  'bot',
  'outsider',
  'deactivated',
] as const;
export type Actor = (typeof actors)[number];

export const living: readonly Actor[] = actors.filter((actor) => actor !== 'deactivated');
export const subscribers = living.filter((actor) => actor !== 'outsider');
export const notGuests = living.filter((actor) => actor !== 'guest');
export const people = notGuests.filter((actor) => actor !== 'bot');
export const administrators: readonly Actor[] = ['owner', 'administrator'];
export const moderators: readonly Actor[] = [...administrators, 'moderator'];
