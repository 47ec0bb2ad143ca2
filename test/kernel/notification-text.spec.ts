import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from '../../src/markdown/render.js';
import { notificationText } from '../../src/contexts/missed-messages/notification-text.js';

function textOf(markdown: string): string {
  return notificationText(renderMarkdown(markdown, { users: [{ id: 3, name: 'Ada' }] }).html);
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
});
