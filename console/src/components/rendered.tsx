import { createElement, Fragment, type ReactNode } from 'react';

/** Elements that are rendered. Others are replaced by their content. */
const elements = new Set(
  'p strong em del code pre ul ol li blockquote br hr h1 h2 h3 h4 h5 h6 table thead tbody tr th td time span'.split(
    ' ',
  ),
);

/** Elements whose content is not shown either. */
const silent = new Set(['script', 'style', 'template', 'iframe', 'object', 'svg', 'math']);

/**
 * Shows HTML of the server's renderer safely: it is parsed without being executed, and only text elements are created from it, without
 * attributes. Images are named instead of loaded, and links only lead to web addresses.
 */
export function Rendered({ html }: { readonly html: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return <div className="rendered">{childrenOf(body)}</div>;
}

function childrenOf(parent: Element): ReactNode {
  return [...parent.childNodes].map((node, index) => <Fragment key={index}>{shown(node)}</Fragment>);
}

function shown(node: ChildNode): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (silent.has(name)) return null;
  if (name === 'br' || name === 'hr') return createElement(name);
  if (name === 'a') return <Link element={node} />;
  if (name === 'img') return <code>{node.getAttribute('alt') ?? node.getAttribute('src') ?? 'picture'}</code>;
  if (elements.has(name)) return createElement(name, {}, childrenOf(node));
  return childrenOf(node);
}

function Link({ element }: { readonly element: Element }) {
  const href = element.getAttribute('href') ?? '';
  if (!/^https?:\/\//i.test(href)) return <span className="link">{childrenOf(element)}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {childrenOf(element)}
    </a>
  );
}
