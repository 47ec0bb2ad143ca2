import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from '../../src/markdown/render.js';
import { findReferences, resolveReferences } from '../../src/markdown/resolve-references.js';
import { htmlTree, withoutHighlighting } from '../support/html-tree.js';
import { corpusLookup, corpusPairs, type CorpusPair } from '../support/markdown-corpus.js';

function render(pair: CorpusPair): string {
  const { references } = resolveReferences(findReferences(pair.markdown), corpusLookup(pair.sender));
  return renderMarkdown(pair.markdown, references).html;
}

const features = [...new Set(corpusPairs.map(({ feature }) => feature))];

describe.each(features)('a text with %s renders as the clients of the API expect it', (feature) => {
  const pairs = corpusPairs.filter((pair) => pair.feature === feature);

  it.each(pairs.map((pair) => [JSON.stringify(pair.markdown).slice(0, 100), pair] as const))(
    '%s',
    (_title, pair) => {
      expect(withoutHighlighting(htmlTree(render(pair)))).toEqual(withoutHighlighting(htmlTree(pair.html)));
    },
  );
});
