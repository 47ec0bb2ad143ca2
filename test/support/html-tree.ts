import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

/** A part of an HTML document; the order of attributes and classes is normalized. */
export type HtmlTree =
  | string
  | { readonly tag: string; readonly attributes: Record<string, string>; readonly children: HtmlTree[] };

/** Parses HTML. Adjacent texts are merged. */
export function htmlTree(html: string): HtmlTree[] {
  return children(parseFragment(html));
}

/** Every element of the HTML. */
export function elementsOf(html: string): Exclude<HtmlTree, string>[] {
  const collect = (nodes: readonly HtmlTree[]): Exclude<HtmlTree, string>[] =>
    nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...collect(node.children)]));
  return collect(htmlTree(html));
}

/** Removes syntax highlighting, which clients do by the name of the language. */
export function withoutHighlighting(nodes: readonly HtmlTree[]): HtmlTree[] {
  return nodes.map((node) => {
    if (typeof node === 'string') return node;
    const code = node.tag === 'code';
    return { ...node, children: code ? [textOf(node.children)] : withoutHighlighting(node.children) };
  });
}

function textOf(nodes: readonly HtmlTree[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

function children(parent: DefaultTreeAdapterTypes.ParentNode): HtmlTree[] {
  return parent.childNodes.map(toTree);
}

function toTree(node: DefaultTreeAdapterTypes.ChildNode): HtmlTree {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  if (!('tagName' in node)) return `<!--${node.nodeName}-->`;
  const attributes = Object.fromEntries(
    node.attrs
      .map(
        ({ name, value }) => [name, name === 'class' ? value.split(/\s+/).sort().join(' ') : value] as const,
      )
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return { tag: node.tagName, attributes, children: children(node) };
}
