import type { Actor } from '../../access/actor.js';
import type { Directory } from '../../access/directory.js';
import type { CustomEmojiSet } from '../../access/records/custom-emoji.js';
import { isLongerThan } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';
import { emojiOf, type Emoji, type EmojiRequest } from '../../access/emoji.js';
import type { SettingEvent } from '../../events/settings.js';
import { assertPerson, decideChangeSettings } from '../settings/settings.decide.js';
import type { OwnSettings } from '../settings/settings.state.js';
import { isAdministrator } from '../../access/records/roles.js';
import type { StatusEvent } from '../../events/statuses.js';
import { MAX_STATUS_LENGTH, noStatus } from '../../access/records/status.js';

/** The changes to a status. */
export interface StatusRequest {
  /** Null: no change. Empty: removes the text. */
  readonly text: string | null;
  /** An empty name removes the emoji. */
  readonly emoji: EmojiRequest;
  /** Inverse of the setting `presence_enabled`; null: no change. */
  readonly away: boolean | null;
}

/** A request, with the account whose status it changes. */
interface StatusRequestFor extends StatusRequest {
  readonly userId: number;
}

/**
 * Only people have statuses, not bots.
 *
 * @throws ApplicationError `botsNotAllowed`, `statusUnchanged`, `statusTooLong`, `emojiNameRequired`, or those of
 * {@link emojiOf}
 */
export function decideChangeStatus(
  own: OwnSettings,
  request: StatusRequest,
  { user, snapshot }: Actor,
): readonly (StatusEvent | SettingEvent)[] {
  assertPerson(user);
  return changesOf(own, { ...request, userId: user.id }, snapshot.directory);
}

/**
 * Administrators may change the statuses of others, but not of bots.
 *
 * @throws ApplicationError `insufficientPermission`, `noSuchUser`, `statusUnchanged`, `statusTooLong`,
 * `emojiNameRequired`, or those of {@link emojiOf}
 */
export function decideChangeStatusOf(
  own: OwnSettings,
  request: StatusRequestFor,
  { user: actor, snapshot: { directory } }: Actor,
): readonly (StatusEvent | SettingEvent)[] {
  if (!isAdministrator(actor)) throw failure('insufficientPermission');
  const person = directory.user(request.userId);
  if (person?.isActive !== true || person.bot !== null) throw failure('noSuchUser');
  return changesOf(own, request, directory);
}

/** Only parts that change are in the event. */
function changesOf(
  own: OwnSettings,
  { userId, text: sent, emoji: request, away }: StatusRequestFor,
  directory: Directory,
): readonly (StatusEvent | SettingEvent)[] {
  const text = sent?.trim() ?? null;
  if (text === null && request.name === undefined && away === null) throw failure('statusUnchanged');
  if (text !== null && isLongerThan(text, MAX_STATUS_LENGTH)) throw failure('statusTooLong');
  const emoji = wantedEmoji(request, directory.customEmoji);
  const before = directory.statuses.get(userId) ?? noStatus(userId);
  const data = {
    userId,
    text: text === before.text ? null : text,
    emoji: isSame(emoji, before.emoji) ? null : emoji,
  };
  const settings = away === null ? {} : { presence_enabled: !away };
  return [
    ...(data.text === null && data.emoji === null ? [] : [{ type: 'UserStatusChanged', data } as const]),
    ...decideChangeSettings(own, settings, { userId, directory }),
  ];
}

/** Null: no change. */
function wantedEmoji({ name, code, type }: EmojiRequest, custom: CustomEmojiSet): Emoji | 'none' | null {
  if (name === undefined) {
    if (code !== undefined || type !== undefined) throw failure('emojiNameRequired');
    return null;
  }
  return name === '' ? 'none' : emojiOf({ name, code, type }, custom);
}

function isSame(wanted: Emoji | 'none' | null, present: Emoji | null): boolean {
  if (wanted === null || wanted === 'none') return wanted === null || present === null;
  return present?.name === wanted.name && present.code === wanted.code && present.type === wanted.type;
}
