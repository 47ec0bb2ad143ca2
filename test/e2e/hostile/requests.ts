import type { SeededRandom } from '../../crash/support/seeded-random.js';
import { hostileFiles } from './files.js';
import type { DocumentedParameter, Operation } from './documented-operations.js';
import { hostileValues, sample, type HostileValue } from './values.js';

/** A request as it goes out. */
export interface SentRequest {
  /** The path, and the query if there is one. */
  readonly url: string;
  readonly init: RequestInit;
}

/** A request that nobody means well with. */
export interface HostileRequest {
  readonly operation: Operation;
  /** What is wrong with it. */
  readonly what: string;
  /** Makes it, when it is sent. */
  readonly make: () => SentRequest;
}

/** A parameter of an operation. */
interface ParameterOf {
  readonly operation: Operation;
  readonly parameter: DocumentedParameter;
  /** What is right of other parameters in this request, by their names; undefined leaves one out. */
  readonly others?: Readonly<Record<string, unknown>>;
}

/** Which operation gets a file in which field, and what is special about the file. */
interface FileRequest {
  readonly operation: Operation;
  readonly field: string;
  readonly what: string;
}

/** What is right of a parameter, by its name: what is not here is as the document shows it. */
export type RightValues = Readonly<Record<string, unknown>>;

/** Without this one the server waits for something to tell. */
const alwaysSent: ReadonlySet<string> = new Set(['dont_block']);

type Field = readonly [name: string, encodedText: string];

const FORM = 'application/x-www-form-urlencoded';

/** What is longer does not go into the first line of a request. */
const MAX_QUERY = 60_000;

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function encodedText({ text, isEncoded }: HostileValue): string {
  return isEncoded === true ? text() : encode(text());
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Makes requests that are right but for one thing. */
export class HostileRequests {
  constructor(
    private readonly right: RightValues,
    private readonly random: SeededRandom,
  ) {}

  /** Requests of an operation in which one parameter is wrong, in every way. */
  withOneWrong(operation: Operation, parameter: DocumentedParameter): HostileRequest[] {
    return hostileValues(parameter, this.random).map((value) =>
      this.withValue({ operation, parameter }, value),
    );
  }

  /** A request of an operation in which one parameter has a value, and the others are right. */
  withValue({ operation, parameter, others = {} }: ParameterOf, value: HostileValue): HostileRequest {
    const { name, place } = parameter;
    return {
      operation,
      what: `${name} is ${value.what}`,
      make: () => {
        const fields = this.fieldsWith({ operation, parameter, others });
        if (place !== 'path') return this.sent(operation, [...fields, [name, encodedText(value)]]);
        return this.sent(operation, fields, { [name]: encodedText(value) });
      },
    };
  }

  /** A request of an operation in which all is right, with files in the field that takes one. */
  withFiles({ operation, field, what }: FileRequest, files: () => readonly File[]): HostileRequest {
    return {
      operation,
      what,
      make: () => {
        const body = new FormData();
        for (const [name, text] of this.rightFields(operation, null))
          body.append(name, decodeURIComponent(text));
        for (const file of files()) body.append(field, file);
        return { url: this.pathOf(operation, {}), init: { method: operation.method, body } };
      },
    };
  }

  /** Requests in which no value is wrong: parameters twice, unknown ones, bodies of other types, none at all, files. */
  misshapen(operation: Operation): HostileRequest[] {
    const right = (): Field[] => this.rightFields(operation, null);
    const forms: Readonly<Record<string, () => readonly Field[]>> = {
      'as it should be': right,
      'with all parameters': () => this.allFields(operation),
      'without any': () => [],
      'with all twice': () => [...right(), ...right()],
      'with all a hundred times': () => Array.from({ length: 100 }, right).flat(),
      'with brackets behind names': () => right().map(([name, text]) => [`${name}[]`, text]),
      'with names inside of names': () => right().map(([name, text]) => [`${name}[a][b]`, text]),
      'with names that every object has': () => [
        ...right(),
        ['__proto__', '1'],
        ['constructor', '{}'],
        ['valueOf', '1'],
      ],
      'with ten thousand unknown names': () =>
        Array.from({ length: 10_000 }, (_, index) => [`n${index}`, '1']),
      'with a name of 100,000 characters': () => [...right(), ['n'.repeat(100_000), '1']],
      'with another verb': () => [...right(), ['method', 'TRACE']],
      'with all parameters empty': () => this.allFields(operation).map(([name]) => [name, '']),
    };
    const requests = Object.entries(forms).map(([what, fields]) => ({
      operation,
      what,
      make: () => this.sent(operation, fields()),
    }));
    if (operation.method === 'GET') return requests;
    return [...requests, ...this.withBodies(operation), ...this.withHostileFiles(operation)];
  }

  private withBodies(operation: Operation): HostileRequest[] {
    const [first = 'a=1'] = this.rightFields(operation, null).map((field) => field.join('='));
    const part = 'Content-Disposition: form-data; name="a"';
    const bodies: Readonly<Record<string, readonly [type: string | null, body: string]>> = {
      'a body of JSON': ['application/json', '{"a":1}'],
      'a body of JSON that is none': ['application/json', '{"a":'],
      'a body without a type': [null, first],
      'a body of an unknown type': ['a/b;;c="', 'x'.repeat(1_000)],
      'a form in parts without parts': ['multipart/form-data; boundary=x', ''],
      'a form in parts that is cut': ['multipart/form-data; boundary=x', `--x\r\n${part}\r\n\r\nb`],
      'a form in parts without a boundary': ['multipart/form-data', 'x'],
      'a form of signs alone': [FORM, '&=&'.repeat(30_000)],
      'a form of what is no text': [FORM, `${first}%ff%fe%00`],
      'a body that is too large': [FORM, `a=${'x'.repeat(1_100_000)}`],
    };
    return Object.entries(bodies).map(([what, [type, body]]) => ({
      operation,
      what,
      make: () => ({
        url: this.pathOf(operation, {}),
        init: {
          method: operation.method,
          headers: type === null ? {} : { 'content-type': type },
          body: Buffer.from(body),
        },
      }),
    }));
  }

  private withHostileFiles(operation: Operation): HostileRequest[] {
    const { file: field } = operation;
    if (field === null) return [];
    return hostileFiles.map(({ what, files }) => this.withFiles({ operation, field, what }, files));
  }

  /** What is required, and what the document shows, as it is right; without the one that is to be wrong. */
  private rightFields({ parameters }: Operation, except: string | null): Field[] {
    return parameters
      .filter(({ place, name }) => place !== 'path' && name !== except)
      .filter(
        ({ isRequired, schema, name }) => isRequired || schema.example !== undefined || alwaysSent.has(name),
      )
      .map((one) => [one.name, encode(textOf(this.rightValue(one)))]);
  }

  /** What is right of all parameters but one, where some have other values than usual. */
  private fieldsWith({ operation, parameter, others = {} }: ParameterOf): Field[] {
    const usual = this.rightFields(operation, parameter.name).filter(([name]) => !(name in others));
    const isTaken = (name: string): boolean =>
      name !== parameter.name &&
      operation.parameters.some((one) => one.name === name && one.place !== 'path');
    const unusual = Object.entries(others)
      .filter(([name, value]) => value !== undefined && isTaken(name))
      .map(([name, value]): Field => [name, encode(textOf(value))]);
    return [...usual, ...unusual];
  }

  private allFields({ parameters }: Operation): Field[] {
    return parameters
      .filter(({ place }) => place !== 'path')
      .map((one) => [one.name, encode(textOf(this.rightValue(one)))]);
  }

  private rightValue({ name, schema }: DocumentedParameter): unknown {
    return schema.example ?? this.right[name] ?? sample(schema, this.random);
  }

  private pathOf({ path, parameters }: Operation, given: Readonly<Record<string, string>>): string {
    return parameters
      .filter(({ place }) => place === 'path')
      .reduce((filled, one) => {
        const segment = given[one.name] ?? encode(textOf(this.rightValue(one)));
        return filled.replace(`{${one.name}}`, () => segment);
      }, path);
  }

  private sent(
    operation: Operation,
    fields: readonly Field[],
    segments: Readonly<Record<string, string>> = {},
  ): SentRequest {
    const { method } = operation;
    const url = this.pathOf(operation, segments);
    const form = fields.map((field) => field.join('=')).join('&');
    if (method === 'GET' && form.length < MAX_QUERY)
      return { url: form === '' ? url : `${url}?${form}`, init: {} };
    const headers = { 'content-type': FORM };
    if (method !== 'GET') return { url, init: { method, headers, body: form } };
    // As clients do with what is long.
    return { url, init: { method: 'POST', headers, body: `${form}&method=GET` } };
  }
}
