/**
 * A text without regard to case, for comparing: by way of upper case and back, because that also folds letters that have no
 * counterpart of their own (`ß` and `ss`, the two lower-case sigmas).
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/** What names and addresses are compared by: trimmed, compatibility forms unified (NFKC), case folded. */
export function nameKey(name: string): string {
  const trimmed = name.trim();
  // Nothing of it has another form, and unifying is what takes long.
  if (ASCII.test(trimmed)) return trimmed.toLowerCase();
  return foldCase(trimmed.normalize('NFKC')).normalize('NFKC');
}

const ASCII = /^[\0-\x7f]*$/;
