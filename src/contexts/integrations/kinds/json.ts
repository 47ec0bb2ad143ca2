import type { Integration } from '../integration.js';
import { fenced } from '../wording.js';

/** Brackets within brackets: what lies deeper is shown without indentation, which would outgrow the text. */
const deepest = 50;

/** Shows whatever JSON comes. */
export const json: Integration = {
  displayName: 'JSON formatter',
  eventHeader: null,
  events: [],
  read: ({ body, text }) => ({
    event: null,
    topic: 'JSON',
    content: fenced('json', nestingOf(text) > deepest ? text : JSON.stringify(body, null, 2)),
  }),
};

/** At least as deep as the JSON is: brackets in its texts count, too. */
function nestingOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}
