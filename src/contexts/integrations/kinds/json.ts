import { fenced, type Integration } from '../integration.js';

/** Maximum depth of indentation: deeper JSON would outgrow the text and is shown without it. */
const MAX_DEPTH = 50;

/** Shows any JSON. */
export const json: Integration = {
  displayName: 'JSON formatter',
  eventHeader: null,
  events: [],
  read: ({ body, text }) => ({
    event: null,
    topic: 'JSON',
    content: fenced('json', nestingOf(text) > MAX_DEPTH ? text : JSON.stringify(body, null, 2)),
  }),
};

/** An upper bound for the depth of the JSON, as brackets in its strings count too. */
function nestingOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
