/**
 * The addresses in a list that people typed or pasted: separated by commas or line ends, each with or without
 * a name before it. Duplicates, ignoring case, are removed.
 */
export function addressesIn(list: string): readonly string[] {
  const byKey = new Map<string, string>();
  for (const entry of list.split(/[,\n\r]/)) {
    const address = (/<([^<>]*)>/.exec(entry)?.[1] ?? entry).trim();
    const key = address.toLowerCase();
    if (address !== '' && !byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}
