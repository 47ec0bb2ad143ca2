/** What of an object is there: keys that an event does not carry must not stand as undefined over what they change. */
export function definedOf<T extends object>(partial: {
  readonly [Key in keyof T]?: T[Key] | undefined;
}): Partial<T> {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as Partial<T>;
}
