import { describe, expect, it, jest } from '@jest/globals';
import { renderMarkdown } from '../../src/markdown/render.js';
import {
  MAX_NOTIFICATION_LENGTH,
  plainTextOf,
} from '../../src/contexts/missed-messages/notification-text.js';

function textOf(markdown: string): string {
  const { html } = renderMarkdown(markdown, { users: [{ id: 3, name: 'Ada' }] });
  return plainTextOf(html, MAX_NOTIFICATION_LENGTH);
}

describe('the text of a notification', () => {
  it.each([
    ['**bold** and [a link](https://e.com/x)', 'bold and a link'],
    ['@**Ada** :octopus: and :zulip:', '@Ada 🐙 and :zulip:'],
    ['> quoted\n\nsaid', '> quoted\nsaid'],
    ['```spoiler Twist\nHe did it.\n```', 'Twist\n(…)'],
    ['$$x^2$$', 'x^2'],
    ['# Title\ntext', 'Title\ntext'],
    ['&lt;b&gt; & <i>', '<b> & <i>'],
  ])('of %j is without markup', (markdown, text) => {
    expect(textOf(markdown)).toBe(text);
  });

  it('is cut', () => {
    expect(textOf('🐙'.repeat(250))).toBe(`${'🐙'.repeat(200)}…`);
  });

  it('is made by rules that are compiled once', async () => {
    const library = await import('html-to-text');
    const compile = jest.fn(library.compile);
    const htmlToText = jest.fn(library.htmlToText);
    jest.resetModules();
    jest.unstable_mockModule('html-to-text', () => ({ compile, htmlToText }));
    const fresh = await import('../../src/contexts/missed-messages/notification-text.js');
    for (let turn = 0; turn < 3; turn += 1) expect(fresh.plainTextOf('<p>x</p>', 200)).toBe('x');
    expect(compile).toHaveBeenCalledTimes(1);
    expect(htmlToText).not.toHaveBeenCalled();
  });
});
