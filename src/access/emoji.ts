import {
  customEmojiNamed,
  customEmojiWithId,
  type CustomEmoji,
  type CustomEmojiSet,
} from './records/custom-emoji.js';
import { failure } from '../kernel/errors.js';
import type { EmojiType } from '../events/custom-emoji.js';
import { emojiCode, emojiOwnName } from '../markdown/emoji.js';

/** An emoji as the API names it. */
export interface Emoji {
  readonly name: string;
  /** Unique within its type. */
  readonly code: string;
  readonly type: EmojiType;
}

/** How a request names an emoji: missing parts follow from the name. */
export interface EmojiRequest {
  readonly name?: string | undefined;
  readonly code?: string | undefined;
  readonly type?: EmojiType | undefined;
}

export type NamedEmojiRequest = EmojiRequest & { readonly name: string };

/** The only built-in emoji that is not a Unicode character; its code is its name. */
const EXTRA_EMOJI = 'zulip';

/**
 * The emoji with a name: custom emoji take precedence over built-in ones.
 *
 * @throws ApplicationError `unknownEmoji`
 */
export function emojiByName(name: string, custom: CustomEmojiSet): Emoji {
  const own = customEmojiNamed(custom, name);
  if (own !== null) return { name, code: String(own.emojiId), type: 'realm_emoji' };
  if (name === EXTRA_EMOJI) return { name, code: EXTRA_EMOJI, type: 'service_extra_emoji' };
  const code = emojiCode(name);
  if (code === undefined) throw failure('unknownEmoji', { reason: name });
  return { name, code, type: 'unicode_emoji' };
}

/** Identifies an emoji, whatever its name. */
export type EmojiIdentity = Pick<Emoji, 'code' | 'type'>;

/**
 * The emoji that a request to take one away identifies, without a check that its name fits its code. A code
 * without a type is that of a Unicode character.
 *
 * @throws ApplicationError when it identifies none, or gives only an unknown name
 */
export function emojiIdentityOf({ name, code, type }: EmojiRequest, custom: CustomEmojiSet): EmojiIdentity {
  if (code !== undefined) return { code, type: type ?? 'unicode_emoji' };
  if (name === undefined) throw failure('emojiRequired');
  const emoji = emojiByName(name, custom);
  return { code: emoji.code, type: type ?? emoji.type };
}

/**
 * The emoji that a request with a name identifies, without a check that its name fits its code. A missing code
 * or type is that of the emoji with the name.
 *
 * @throws ApplicationError `unknownEmoji`
 */
export function namedEmojiIdentityOf(
  { name, code, type }: NamedEmojiRequest,
  custom: CustomEmojiSet,
): EmojiIdentity {
  if (code !== undefined && type !== undefined) return { code, type };
  const emoji = emojiByName(name, custom);
  return { code: code ?? emoji.code, type: type ?? emoji.type };
}

/**
 * The emoji that a request names.
 *
 * @throws ApplicationError when it names none, or when name and code contradict each other
 */
export function emojiOf(request: NamedEmojiRequest, custom: CustomEmojiSet): Emoji {
  const emoji = { name: request.name, ...namedEmojiIdentityOf(request, custom) };
  refuseMismatch(emoji, custom);
  return emoji;
}

function refuseMismatch({ name, code, type }: Emoji, custom: CustomEmojiSet): void {
  switch (type) {
    case 'unicode_emoji':
      if (emojiOwnName(code) === undefined) throw failure('invalidEmojiCode');
      if (emojiCode(name) !== code) throw failure('invalidEmojiName');
      return;
    case 'service_extra_emoji':
      if (code !== EXTRA_EMOJI) throw failure('invalidEmojiCode');
      if (name !== code) throw failure('invalidEmojiName');
      return;
    case 'realm_emoji':
      refuseCustomMismatch(name, customEmojiWithId(custom, code));
  }
}

function refuseCustomMismatch(name: string, emoji: CustomEmoji | null): void {
  if (emoji === null) throw failure('invalidCustomEmoji');
  if (emoji.name !== name) throw failure('invalidEmojiName');
  if (emoji.isDeactivated) throw failure('customEmojiDeactivated');
}
