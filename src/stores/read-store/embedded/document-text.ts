import { UnsupportedQueryError, type Document, type Keyed } from '../port.js';
import type { Fields } from '../language/documents.js';
import { isScalar } from '../language/order.js';

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Unpaired surrogates, which UTF-8 cannot encode, become U+FFFD as in MongoDB. */
function jsonOf(document: Document): string {
  const text = JSON.stringify(document);
  return text.includes('\\ud') ? JSON.stringify(document, wellFormed) : text;
}

/** A field that has the same value in most documents of a collection. */
interface DefaultField {
  readonly name: string;
  readonly value: unknown;
  /** Null: the value is a scalar. */
  readonly text: string | null;
}

/** How the documents of a collection are serialized: as JSON without the default values. */
export class DocumentText {
  private readonly fields: readonly DefaultField[];

  constructor(readonly defaults: Document = {}) {
    this.fields = Object.entries(defaults).map(([name, value]) => {
      return { name, value: frozen(value), text: isScalar(value) ? null : JSON.stringify(value) };
    });
  }

  write(document: Keyed): string {
    if (this.fields.length === 0) return jsonOf(document);
    const shortened: { [field: string]: unknown } = { ...document };
    for (const field of this.fields) {
      if (isDefault(field, document[field.name])) shortened[field.name] = undefined;
    }
    return jsonOf(shortened);
  }

  read(text: string): Keyed {
    return this.completed(JSON.parse(text) as Keyed);
  }

  /** Parses a document of which only some fields are needed: other fields with default values stay missing. */
  readFor(fields: readonly string[], text: string): Keyed {
    const document = JSON.parse(text) as Fields;
    for (const field of fields) {
      if (document[field] === undefined && Object.hasOwn(this.defaults, field))
        document[field] = this.defaults[field];
    }
    return document as Keyed;
  }

  /** @param texts several, separated by commas */
  readAll(texts: string): Keyed[] {
    const documents = JSON.parse(`[${texts}]`) as Keyed[];
    return this.fields.length === 0 ? documents : documents.map((document) => this.completed(document));
  }

  /** The default of a field that a document's text omits; undefined: there is none. */
  defaultOf(field: string): unknown {
    return Object.hasOwn(this.defaults, field) ? this.defaults[field] : undefined;
  }

  private completed(document: Keyed): Keyed {
    return this.fields.length === 0 ? document : { ...this.defaults, ...document };
  }
}

function isDefault({ value, text }: DefaultField, found: unknown): boolean {
  if (text === null || found === value) return found === value;
  return typeof found === 'object' && found !== null && JSON.stringify(found) === text;
}

/** Frozen, because all documents share the value: a change of a document replaces it. */
function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** A document's key as its row number. */
export function rowNumber(key: Keyed['_id']): bigint {
  if (Number.isSafeInteger(key)) return BigInt(key);
  throw new UnsupportedQueryError('The keys of the collection are whole numbers');
}
