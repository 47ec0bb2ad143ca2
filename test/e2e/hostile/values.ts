import type { SeededRandom } from '../../crash/support/seeded-random.js';
import type { DocumentedParameter, Schema } from './documented-operations.js';

/** A value that nobody means well with. */
export interface HostileValue {
  /** What is wrong with it. */
  readonly what: string;
  /** As the parameter holds it; made when it is sent, since many are long. */
  readonly text: () => string;
  /** Whether the text is percent-encoded already, since it holds what is no text. */
  readonly isEncoded?: true;
}

type Place = DocumentedParameter['place'];

/** Texts that cost much where they are repeated: markup, what expressions look for, what alphabets and normal forms are about. */
const atoms = [
  ...['a', ' ', '\n', 'a ', 'ab,', 'a\n', '1', '-', '/', '.a', '@a.', 'a@b.c,'],
  ...[
    '>',
    '> ',
    '- ',
    '1. ',
    '# ',
    '* a\n',
    '  ',
    '\t',
    '---\n',
    '|',
    '|a',
    '| - |\n',
    '~~~\n',
    '```\n',
    '>\n> ',
  ],
  ...[
    '*',
    '_',
    '**a',
    '*a_',
    '`',
    '``',
    '[',
    '](',
    '[a](',
    '![',
    '<',
    '&',
    '<a>',
    '\\',
    '$$',
    '$$x^',
    '\\frac{',
  ],
  ...[
    '@**',
    '@**a**',
    '@_*a*',
    '#**a>',
    '#**a>b**',
    ':',
    ':a:',
    ':smile:',
    'http://a.b/',
    'a.com ',
    '<time:',
  ],
  ...[
    'é',
    'e\u0301',
    '\u0301',
    'ﷺ',
    'İ',
    'ß',
    '織',
    '😀',
    '👩‍👩‍👧 ',
    '\u200d',
    '\u202e',
    '\ufeff',
    '🇩',
    '\u{e0041}',
  ],
  ...[
    '"',
    '"a" ',
    "'",
    '%',
    '{',
    '{a}',
    '(a+)+',
    '(?P<a>',
    '\\d',
    '[[',
    '{"a":',
    '\u0000',
    '\u0007',
    '\r\n',
    '/poll\n',
  ],
];

/** How many characters a request has room for, by where the parameter stands. */
const room = { path: 4_000, query: 300_000, form: 300_000 } as const satisfies Record<Place, number>;

/** Texts of one atom over and over, or of a few, from ten characters to as many as there is room for. */
function longTexts(place: Place, random: SeededRandom): HostileValue[] {
  // Ten thousand is what a message may have: there is most to win.
  const lengths = [10, 60, 100, 1_000, 10_000, 10_000, 10_000, 10_000, 100_000, room[place]];
  return lengths
    .filter((length) => length <= room[place])
    .map((length) => {
      const some = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => random.pick(atoms));
      const atom = some.map((one) => one.repeat(random.pick([1, 1, 2, 20]))).join('');
      // What is cut in two would be something else on its way.
      const text = (): string => repeated(atom, length).slice(0, length).toWellFormed();
      return { what: `${length} characters of ${JSON.stringify(atom).slice(0, 80)}`, text };
    });
}

function repeated(atom: string, length: number): string {
  return atom.repeat(Math.ceil(length / atom.length));
}

function valuesOf(texts: readonly string[]): HostileValue[] {
  return texts.map((text) => ({ what: text, text: () => text }));
}

function named(texts: Readonly<Record<string, string>>): HostileValue[] {
  return Object.entries(texts).map(([what, text]) => ({ what, text: () => text }));
}

const strangeTexts: readonly HostileValue[] = [
  ...named({
    nothing: '',
    blanks: ' \t\n\u00a0\u3000',
    NUL: 'a\0b',
    'control characters': '\u0001\u0007\u001b[31m\u0085\u2028\u2029\u202e',
    'what is no character': '\uffff\ufffe\ufdd0',
    'a path': '../../../../etc/passwd',
    'a name of every object': '__proto__',
    'another name of every object': 'constructor',
    'a template': '${{constructor}}{{7*7}}$1$&',
    JSON: '{"a":[1,null]}',
    null: 'null',
  }),
  { what: 'half of a pair', text: () => '%ED%A0%80', isEncoded: true },
  { what: 'half of a character', text: () => 'a%C3', isEncoded: true },
  { what: 'no hexadecimal number', text: () => '%zz%', isEncoded: true },
];

const numbers = [
  ...['-1', '0', '-0', '1.5', '1e3', '1e400', '-1e400', 'NaN', 'Infinity', '0x10', '१', '+1', ' 1', '1 '],
  ...[2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER].map(String),
  ...['9007199254740993', '18446744073709551616', '100000000000000000000', '8640000000000001'],
  ...['', 'true', 'null', '"1"', '[1]', '{"a":1}'],
];

function strangeNumbers(place: Place): HostileValue[] {
  const long = [4, 5, 6].map((exponent) => Math.min(10 ** exponent, room[place]));
  return [
    ...valuesOf(numbers),
    ...long.map((length) => ({ what: `${length} digits`, text: () => '9'.repeat(length) })),
  ];
}

const strangeBooleans = valuesOf([
  ...['true', 'false', '', 'True', '1', 'yes', 'null', '"true"', '[true]', '{}', 'x'.repeat(10_000)],
]);

/** How many characters of JSON a body has room for: brackets are three each on their way. */
const JSON_ROOM = 340_000;

/** JSON whose inside is deeper than any stack. */
function deep(open: string, inner: string, close: string): () => string {
  const depth = Math.floor(JSON_ROOM / (open.length + close.length));
  return () => open.repeat(depth) + inner + close.repeat(depth);
}

/** What no JSON parameter takes, whatever its shape. */
const strangeJson: readonly HostileValue[] = [
  ...valuesOf([
    '',
    '{',
    '[',
    'null',
    'true',
    '-1',
    '1e400',
    '"text"',
    '""',
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
  ]),
  ...named({
    'half of a pair in JSON': '["\\ud800"]',
    'NUL in JSON': '["a\\u0000b"]',
    'the prototype in JSON': '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1}',
  }),
  { what: 'an array deeper than any stack', text: deep('[', '', ']') },
  { what: 'an object deeper than any stack', text: deep('{"a":', '1', '}') },
  {
    what: 'an object of many names',
    text: () => JSON.stringify(Object.fromEntries(manyOf(10_000).map((n) => [`k${n}`, n]))),
  },
  { what: 'the same name again and again', text: () => `{${'"a":1,'.repeat(20_000)}"a":2}` },
];

function manyOf(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** A value such as the document describes. */
export function sample(schema: Schema, random: SeededRandom): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return sample(random.pick(schema.anyOf), random);
  switch (schema.type) {
    case 'array':
      return [sample(schema.items ?? { type: 'integer' }, random)];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sample(one, random)]),
      );
    case 'integer':
    case 'number':
      return random.between(1, 4);
    case 'boolean':
      return random.fraction() < 0.5;
    default:
      return random.pick(['engines', 'x', '1', '#aabbcc', 'ada@example.com']);
  }
}

/** Something that looks right but for one part of it. */
function spoilt(value: unknown, random: SeededRandom): unknown {
  if (Array.isArray(value) && value.length > 0) return value.map((one) => spoilt(one, random));
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const name = random.pick(Object.keys(value));
    return { ...value, [name]: spoilt((value as Record<string, unknown>)[name], random) };
  }
  const long = repeated(random.pick(atoms), random.pick([10, 100, 1_000, 10_000, 100_000]));
  return random.pick<unknown>([
    null,
    -1,
    0,
    1.5,
    2 ** 53,
    '',
    ' ',
    long,
    long,
    long,
    true,
    [],
    {},
    [[]],
    { a: 1 },
  ]);
}

/** Lists of ever more items, all alike or each another, as many as there is room for. */
function longLists(items: Schema, random: SeededRandom): HostileValue[] {
  return [10, 100, 1_000, 10_000, 100_000].map((count) => {
    const one = sample(items, random);
    const isNumber = typeof one === 'number';
    const isAlike = random.fraction() < 0.3;
    const item = (index: number): unknown => {
      if (isAlike) return one;
      return isNumber ? index : typeof one === 'string' ? `${one} ${index}` : one;
    };
    const fitting = Math.min(count, Math.floor(room.form / (JSON.stringify(item(count)).length + 1)));
    return { what: `${fitting} items`, text: () => JSON.stringify(manyOf(fitting).map(item)) };
  });
}

function jsonValues(schema: Schema, random: SeededRandom): HostileValue[] {
  const { type, items = {} } = schema;
  const almost = manyOf(8).map((turn) => {
    const choices = random.fork();
    return { what: `spoilt, ${turn}`, text: () => JSON.stringify(spoilt(sample(schema, choices), choices)) };
  });
  return [
    ...strangeJson,
    ...almost,
    ...(type === 'array' ? longLists(items, random) : longLists({ type: 'integer' }, random).slice(-1)),
  ];
}

const operators = [
  ...[
    'channel',
    'channels',
    'topic',
    'dm',
    'dm-including',
    'group-pm-with',
    'sender',
    'id',
    'near',
    'with',
    'has',
  ],
  ...['is', 'in', 'mentions', 'search'],
];

const operands = [
  ...['link', 'image', 'mentioned', 'unread', 'starred', 'resolved', 'followed', 'dm', 'home', 'public'],
];

/** Narrows of every operator with every kind of operand, also many at once. */
function narrows(random: SeededRandom): HostileValue[] {
  const operand = (choices: SeededRandom): unknown => {
    const long = repeated(choices.pick(atoms), choices.pick([1, 30, 900, 9_000]));
    const known = choices.pick(operands);
    const numeric = [1, 2, 2 ** 53, -1, 1.5, '1', [1], [1, 2], manyOf(1_000), manyOf(1_001), []];
    return choices.pick<unknown>([long, known, known, known, null, true, {}, ...numeric]);
  };
  const term = (choices: SeededRandom): unknown => {
    const operator = choices.pick(operators);
    if (choices.fraction() < 0.2) return [operator, String(operand(choices))];
    return { operator, operand: operand(choices), negated: choices.fraction() < 0.4 };
  };
  const some = [1, 1, 1, 1, 2, 2, 2, 3, 5, 100, 101].map((count) => {
    const choices = random.fork();
    return {
      what: `a narrow of ${count}`,
      text: () => JSON.stringify(manyOf(count).map(() => term(choices))),
    };
  });
  const words = [30, 31, 500, 20_000].map((count) => {
    const search = manyOf(count).map((number) => number.toString(36));
    const negated = random.fraction() < 0.5;
    const text = (): string => JSON.stringify([{ operator: 'search', operand: search.join(' '), negated }]);
    return { what: `a search of ${count} words`, text };
  });
  return [...some, ...words];
}

/** Values for a parameter that nobody means well with, such as a seed makes them. */
export function hostileValues(parameter: DocumentedParameter, random: SeededRandom): readonly HostileValue[] {
  const { name, place, schema, isJson } = parameter;
  if (name === 'narrow') return [...jsonValues(schema, random), ...narrows(random)];
  if (isJson) return jsonValues(schema, random);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return strangeNumbers(place);
    case 'boolean':
      return strangeBooleans;
    default:
      return [
        ...longTexts(place, random),
        ...strangeTexts,
        ...valuesOf((schema.enum ?? []).map(String)),
        // What takes text as well as JSON.
        ...strangeJson.slice(-7),
        ...longLists({ type: 'integer' }, random).slice(-2),
      ];
  }
}
