import type { Keyed } from '../port.js';

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** A document as JSON. Unpaired surrogates, which UTF-8 cannot hold, become U+FFFD as they do in MongoDB. */
export function documentText(document: Keyed): string {
  const text = JSON.stringify(document);
  return text.includes('\\ud') ? JSON.stringify(document, wellFormed) : text;
}
