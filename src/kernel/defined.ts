/** Copies an object without its undefined properties, which would replace values when spread over another object. */
export function definedOf<T extends object>(partial: {
  readonly [Key in keyof T]?: T[Key] | undefined;
}): Partial<T> {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as Partial<T>;
}
