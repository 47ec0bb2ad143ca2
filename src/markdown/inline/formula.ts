import type { InlinePass } from './inline-parser.js';

/** What a blank or punctuation stands on both sides of; it neither begins with `_` nor holds finished HTML. */
const formula = /\B(?<!\$)\$\$([^\n_$\u0002](?:\\\$|[^$\n\u0002])*)\$\$(?!\$)\B/g;

/** Formulas between `$$` and `$$`. */
export const parseFormulas: InlinePass = (text, inline) => {
  if (!text.includes('$$')) return text;
  return text.replace(formula, (_, tex: string) => inline.formulas.putInline(tex));
};
