import type { Actor } from '../../src/access/actor.js';
import { describe, expect, it } from '@jest/globals';
import {
  decideAddCustomEmoji,
  decideDeactivateCustomEmoji,
} from '../../src/contexts/emoji/custom-emoji.decide.js';
import {
  customEmojiFold,
  CUSTOM_EMOJI_STREAM,
  type CustomEmojiSet,
} from '../../src/access/records/custom-emoji.js';
import type { CustomEmojiEvent } from '../../src/events/custom-emoji.js';
import { emojiByName, emojiOf } from '../../src/access/emoji.js';
import { refusal, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const administrator = organization.register({ role: 200 });
const ada = organization.register();
const bo = organization.register();
const guest = organization.register({ role: 600 });

const image = { fileName: 'random.png', stored: { name: '1/emoji/random', contentKey: 'key', size: 9 } };

function by(id: number): Actor {
  return { user: organization.user(id), snapshot: organization.snapshot() };
}

function after(...events: readonly CustomEmojiEvent[]): CustomEmojiSet {
  const log = new TestLog();
  log.append(CUSTOM_EMOJI_STREAM, events);
  return log.fold(customEmojiFold, CUSTOM_EMOJI_STREAM);
}

function add(name: string, actor = ada, set = after()): readonly CustomEmojiEvent[] {
  return decideAddCustomEmoji(set, { name, image }, by(actor));
}

describe('a custom emoji', () => {
  it('is added by a member, under the next id', () => {
    const [first] = add('engine');
    expect(first).toEqual({
      type: 'CustomEmojiAdded',
      data: {
        emojiId: 1,
        name: 'engine',
        authorId: ada,
        storageName: '1/emoji/random',
        contentKey: 'key',
        fileName: 'random.png',
        size: 9,
      },
    });
    expect(add('loom', bo, after(first!))[0]!.data.emojiId).toBe(2);
  });

  it('has blanks of its name turned into underscores', () => {
    expect(add(' difference engine ')[0]!.data).toMatchObject({ name: 'difference_engine' });
  });

  it.each([
    ['', 'customEmojiNameMissing'],
    ['Engine', 'customEmojiNameCharacters'],
    ['engine!', 'customEmojiNameCharacters'],
    ['engine_', 'customEmojiNameEnd'],
    ['é', 'customEmojiNameCharacters'],
    ['a'.repeat(101), 'customEmojiNameTooLong'],
  ])('is not called %j', (name, error) => {
    expect(refusal(() => add(name))).toBe(error);
  });

  it('has a name that no other in use has', () => {
    const [engine] = add('engine');
    expect(refusal(() => add('engine', bo, after(engine!)))).toBe('customEmojiNameTaken');
    const gone = decideDeactivateCustomEmoji(after(engine!), 'engine', by(ada));
    expect(refusal(() => add('engine', bo, after(engine!, ...gone)))).toBeNull();
  });

  it('takes the place of a built-in one only at an administrator’s hand', () => {
    expect(refusal(() => add('octopus'))).toBe('builtInEmojiName');
    const [octopus] = add('octopus', administrator);
    expect(emojiByName('octopus', after(octopus!))).toEqual({
      name: 'octopus',
      code: '1',
      type: 'realm_emoji',
    });
  });

  it('is not added by whom the organization does not let', () => {
    expect(refusal(() => add('engine', guest))).toBe('insufficientPermission');
  });

  it('is taken out of use by its author and by administrators', () => {
    const set = after(...add('engine'));
    const expected = [{ type: 'CustomEmojiDeactivated', data: { emojiId: 1 } }];
    expect(decideDeactivateCustomEmoji(set, 'engine', by(ada))).toEqual(expected);
    expect(decideDeactivateCustomEmoji(set, 'engine', by(administrator))).toEqual(expected);
    expect(refusal(() => decideDeactivateCustomEmoji(set, 'engine', by(bo)))).toBe('insufficientPermission');
    expect(refusal(() => decideDeactivateCustomEmoji(set, 'loom', by(ada)))).toBe('noSuchCustomEmoji');
  });

  it('is meant by its code only together with its name, and not once it is out of use', () => {
    const [engine] = add('engine');
    const gone = decideDeactivateCustomEmoji(after(engine!), 'engine', by(ada));
    const request = { name: 'engine', code: '1', type: 'realm_emoji' } as const;
    expect(emojiOf(request, after(engine!))).toEqual(request);
    expect(refusal(() => emojiOf({ ...request, name: 'loom' }, after(engine!)))).toBe('invalidEmojiName');
    expect(refusal(() => emojiOf({ ...request, code: '2' }, after(engine!)))).toBe('invalidCustomEmoji');
    expect(refusal(() => emojiOf(request, after(engine!, ...gone)))).toBe('customEmojiDeactivated');
    expect(refusal(() => emojiByName('engine', after(engine!, ...gone)))).toBe('unknownEmoji');
  });

  it('is of the type that follows from the name where only the code is given', () => {
    const custom = after(...add('engine'));
    const named = (name: string, code: string): unknown => emojiOf({ name, code }, custom).type;
    expect(named('engine', '1')).toBe('realm_emoji');
    expect(named('zulip', 'zulip')).toBe('service_extra_emoji');
    expect(named('octopus', '1f419')).toBe('unicode_emoji');
    expect(refusal(() => named('engine', '1f419'))).toBe('invalidCustomEmoji');
    expect(refusal(() => named('loom', '1f419'))).toBe('unknownEmoji');
  });
});
