import type { InlinePass } from './inline-parser.js';

/** Formulas are not typeset yet: they stay as typed. */
export const parseMath: InlinePass = (text) => text;
