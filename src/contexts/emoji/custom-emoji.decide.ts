import type { Actor } from '../../access/actor.js';
import { mayAddCustomEmoji } from '../../access/people-permissions.js';
import { customEmojiNamed, type CustomEmojiSet } from '../../access/records/custom-emoji.js';
import { isAdministrator } from '../../access/records/roles.js';
import type { CustomEmojiEvent } from '../../events/custom-emoji.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { emojiCode } from '../../markdown/emoji.js';
import type { StoredImage } from '../../stores/file-store/image.js';

/** Maximum number of characters in a name. */
const MAX_NAME_LENGTH = 100;

/**
 * The stored form of a custom emoji's name.
 *
 * @throws ApplicationError that says what is wrong
 */
function customEmojiName(sent: string): string {
  const name = sent.trim().replaceAll(' ', '_');
  if (name === '') throw failure('customEmojiNameMissing');
  if (name.length > MAX_NAME_LENGTH) {
    throw failure('customEmojiNameTooLong');
  }
  if (!/^[0-9a-z._-]+$/.test(name)) {
    throw failure('customEmojiNameCharacters');
  }
  if (!/[0-9a-z]$/.test(name)) {
    throw failure('customEmojiNameEnd');
  }
  return name;
}

/** @throws ApplicationError `insufficientPermission`, those of {@link customEmojiName}, `customEmojiNameTaken`, `builtInEmojiName`, `tooManyCustomEmoji` */
export function decideAddCustomEmoji(
  set: CustomEmojiSet,
  sent: { readonly name: string; readonly image: StoredImage },
  { user: actor, snapshot }: Actor,
): readonly CustomEmojiEvent[] {
  if (!mayAddCustomEmoji(snapshot, actor)) throw failure('insufficientPermission');
  const name = customEmojiName(sent.name);
  if (customEmojiNamed(set, name) !== null) throw failure('customEmojiNameTaken');
  if (emojiCode(name) !== undefined && !isAdministrator(actor)) throw failure('builtInEmojiName');
  if (set.emoji.length >= budgets.customEmoji.max) throw failure('tooManyCustomEmoji');
  const { fileName, stored } = sent.image;
  const { name: storageName, contentKey, size } = stored;
  const emojiId = set.emoji.length + 1;
  const data = { emojiId, name, authorId: actor.id, storageName, contentKey, fileName, size };
  return [{ type: 'CustomEmojiAdded', data }];
}

/**
 * @throws ApplicationError `noSuchCustomEmoji`; `insufficientPermission` unless the actor is its author or an
 * administrator
 */
export function decideDeactivateCustomEmoji(
  set: CustomEmojiSet,
  name: string,
  { user: actor }: Pick<Actor, 'user'>,
): readonly CustomEmojiEvent[] {
  const emoji = customEmojiNamed(set, name);
  if (emoji === null) throw failure('noSuchCustomEmoji', { reason: name });
  if (emoji.authorId !== actor.id && !isAdministrator(actor)) throw failure('insufficientPermission');
  return [{ type: 'CustomEmojiDeactivated', data: { emojiId: emoji.emojiId } }];
}
