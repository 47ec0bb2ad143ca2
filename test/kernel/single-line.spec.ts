import { describe, expect, it } from '@jest/globals';
import { channelNameOf } from '../../src/contexts/channels/channel-names.js';
import { readConfiguration } from '../../src/config.js';
import { ConfigurationError } from '../../src/configuration/configuration-values.js';
import { requiredText } from '../../src/kernel/text.js';
import { normalizeTopic } from '../../src/events/values/message-text.js';
import { viewName } from '../../src/contexts/personal/navigation/navigation-views.state.js';
import { snippetContent, snippetTitle } from '../../src/contexts/personal/snippets/saved-snippets.state.js';
import { fullNameOf, groupNameOf } from '../../src/contexts/users/names.js';
import { refusal } from '../support/given.js';

const unprintable = ['\r', '\n', '\u0085', '\u0000', '\u001b', '\ud800', '\uffff'];
const separators = ['\u2028', '\u2029'];
const breaking = [...unprintable, ...separators];

/** All functions that accept a name on one line. */
const takers: readonly (readonly [string, (name: string) => unknown])[] = [
  ['a user group', groupNameOf],
  ['a channel', channelNameOf],
  ['a snippet', (name) => requiredText(name, snippetTitle)],
  ['a view', (name) => requiredText(name, viewName)],
];

describe('the name of', () => {
  it.each(takers)('%s stands on one line', (_whose, take) => {
    for (const character of breaking) {
      expect([character, refusal(() => take(`one${character}two`))]).not.toEqual([character, null]);
    }
    expect(refusal(() => take('one two'))).toBeNull();
  });

  it.each<[string, (name: string) => string]>([
    ['a person', fullNameOf],
    ['a topic', normalizeTopic],
  ])('%s is printable, and may have separators of lines and paragraphs inside', (_whose, take) => {
    for (const character of unprintable) {
      expect([character, refusal(() => take(`one${character}two`))]).not.toEqual([character, null]);
    }
    for (const separator of separators) {
      expect(take(`one${separator}two${separator}`)).toBe(`one${separator}two`);
    }
  });

  it('an organization does from the very first start', () => {
    for (const character of breaking) {
      const read = (): unknown => readConfiguration({ ORGANIZATION_NAME: `one${character}two` });
      expect(read).toThrow(ConfigurationError);
    }
  });

  it('does not keep texts from having several lines', () => {
    expect(requiredText('one\ntwo', snippetContent)).toBe('one\ntwo');
  });
});
