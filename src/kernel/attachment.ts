/**
 * A value that belongs to an object and is collected with it, like an entry of a weak map. The garbage collector keeps what is in a weak map
 * until its next full collection, even if the object is gone, which is too long for what is made for every request or event. It stands in
 * the object itself, where neither a copy, nor JSON, nor a comparison sees it.
 */
export class Attachment<Target extends object, Value> {
  private readonly key = Symbol();

  get(target: Target): Value | undefined {
    return (target as { readonly [key: symbol]: Value | undefined })[this.key];
  }

  set(target: Target, value: Value): void {
    Object.defineProperty(target, this.key, { value, configurable: true });
  }
}
