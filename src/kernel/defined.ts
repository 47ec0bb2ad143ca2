/** An object without the keys that are undefined: spread over another one, they would replace its values. */
export function definedOf<T extends object>(partial: {
  readonly [Key in keyof T]?: T[Key] | undefined;
}): Partial<T> {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as Partial<T>;
}
