import type { Parameters } from './steps.js';

/** Values that steps of the session keep for later steps, by name. */
export class KeptValues {
  private readonly values: Map<string, unknown>;

  constructor(values: Parameters) {
    this.values = new Map(Object.entries(values));
  }

  /** @throws Error when no step has kept a value with this name */
  get(name: string): unknown {
    if (!this.values.has(name)) throw new Error(`No earlier step of the session keeps "${name}"`);
    return this.values.get(name);
  }

  /**
   * Keeps a value.
   *
   * @param found undefined: the value was not in the text
   * @throws Error that shows the text, when the value was not in it
   */
  keep(name: string, found: unknown, text: string): void {
    if (found === undefined) throw new Error(`There is nothing to keep as "${name}" in ${text}`);
    this.values.set(name, found);
  }

  /** Replaces each `$name` in a value by the kept value; `$$` stands for a dollar sign. */
  fill(value: unknown): unknown {
    if (typeof value === 'string') {
      const whole = /^\$([a-z]\w*)$/i.exec(value)?.[1];
      if (whole !== undefined) return this.get(whole);
      return value.replaceAll(/(?<!\$)\$([a-z]\w*)/gi, (_match, name: string) => String(this.get(name)));
    }
    if (Array.isArray(value)) return value.map((one) => this.fill(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.fill(one)]));
  }
}
