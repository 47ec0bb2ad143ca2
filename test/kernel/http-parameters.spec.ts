import { describe, expect, it, jest } from '@jest/globals';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
  JsonParameter,
  TextParameter,
} from '../../src/http/parameters/parameter-decorators.js';
import { planOf } from '../../src/http/parameters/parameter-plan.js';
import { readParameters } from '../../src/http/parameters/read-parameters.js';
import { budgets } from '../../src/kernel/budgets.js';
import { ApplicationError } from '../../src/kernel/errors.js';

class Thing {
  @IsString() name!: string;
  @IsInt() @Max(9) size!: number;
}

class Example {
  @TextParameter({ required: true }) @MaxLength(5) content!: string;
  @TextParameter({ alias: 'subject' }) topic?: string;
  @IntegerParameter() count = 3;
  @BooleanParameter() loud?: boolean;
  @IntegerParameter({ nullable: true }) @IsIn([1, 2]) color?: number | null;
  @JsonParameter() @IsArray() @ArrayMaxSize(3) @IsInt({ each: true }) ids?: number[];
  @JsonParameter({ type: () => Thing }) @IsArray() @ValidateNested({ each: true }) things?: Thing[];
  @JsonParameter({ schema: z.array(z.union([z.number(), z.object({ operator: z.string() })])) })
  narrow?: unknown[];
  @JsonParameter({ schema: z.array(z.object({ name: z.string() })) }) rows?: unknown[];
  @JsonOrTextParameter() to?: unknown;
}

class Extended extends Example {
  @TextParameter({ required: true }) extra!: string;
  @TextParameter() override content = 'nothing';
}

function read(sent: Record<string, string>): Example {
  return readParameters(planOf(Example), (name) => sent[name]);
}

function faultOf(
  sent: Record<string, string>,
): Pick<ApplicationError, 'code' | 'message'> & { fields: object } {
  try {
    read(sent);
  } catch (error) {
    if (error instanceof ApplicationError)
      return { code: error.code, message: error.message, fields: error.fields };
    throw error;
  }
  throw new Error('there was no fault');
}

describe('The text of a parameter', () => {
  it('is taken as it is where text is wanted, quotes and all', () => {
    expect(read({ content: '"a"' }).content).toBe('"a"');
    expect(read({ content: 'null' }).content).toBe('null');
    expect(read({ content: '' }).content).toBe('');
  });

  it.each([
    ['7', 7],
    ['-12', -12],
    ['0', 0],
    ['-0', 0],
    [' 8 ', 8],
    ['1e3', 1000],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%j is a whole number', (text, value) => {
    expect(Object.is(read({ content: 'x', count: text }).count, value)).toBe(true);
  });

  it.each(['many', '', '07', '+1', '0x10', '[', '1 2', 'NaN'])('%j is not even JSON', (text) => {
    expect(faultOf({ content: 'x', count: text })).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'count is not valid JSON',
    });
  });

  it.each(['1.5', '"7"', 'true', '[7]', '{}', '9007199254740992', '1e400'])(
    '%j is not a whole number',
    (text) => {
      expect(faultOf({ content: 'x', count: text }).message).toBe('count is not an integer');
    },
  );

  it('is a boolean only as true or false', () => {
    expect(read({ content: 'x', loud: 'true' }).loud).toBe(true);
    expect(read({ content: 'x', loud: 'false' }).loud).toBe(false);
    for (const text of ['1', '0', '"true"', '[]']) {
      expect(faultOf({ content: 'x', loud: text }).message).toBe('loud is not a boolean');
    }
    for (const text of ['True', 'yes', '']) {
      expect(faultOf({ content: 'x', loud: text }).message).toBe('loud is not valid JSON');
    }
  });

  it('is JSON for an array or an object', () => {
    expect(read({ content: 'x', ids: '[1,2]' }).ids).toEqual([1, 2]);
    expect(faultOf({ content: 'x', ids: '[1,' }).message).toBe('ids is not valid JSON');
  });

  it.each([
    ['[7,8]', [7, 8]],
    ['7', 7],
    ['"general"', 'general'],
    ['general', 'general'],
    ['null and void', 'null and void'],
    ['[lunch', '[lunch'],
    ['nobody@example.com, ada@example.com', 'nobody@example.com, ada@example.com'],
  ])('%j is JSON if it can be, where either will do', (text, value) => {
    expect(read({ content: 'x', to: text }).to).toEqual(value);
  });
});

describe('A parameter that is missing', () => {
  it('keeps its initial value', () => {
    expect(read({ content: 'x' })).toEqual(Object.assign(new Example(), { content: 'x', count: 3 }));
  });

  it('is named when it is required', () => {
    expect(faultOf({})).toEqual({
      code: 'REQUEST_VARIABLE_MISSING',
      message: "Missing 'content' argument",
      fields: { var_name: 'content' },
    });
  });

  it('may be sent as null', () => {
    expect(read({ content: 'x', count: 'null', loud: 'null', ids: ' null ', narrow: 'null' })).toEqual(
      read({ content: 'x' }),
    );
  });

  it('differs from null where null is a value', () => {
    expect(read({ content: 'x', color: 'null' }).color).toBeNull();
    expect(read({ content: 'x' }).color).toBeUndefined();
  });
});

describe('A parameter with two spellings', () => {
  it('is read under either', () => {
    expect(read({ content: 'x', topic: 'a' }).topic).toBe('a');
    expect(read({ content: 'x', subject: 'b' }).topic).toBe('b');
  });

  it('is refused under both', () => {
    expect(faultOf({ content: 'x', topic: 'a', subject: 'b' })).toEqual({
      code: 'REQUEST_CONFUSING_VAR',
      message: "Can't decide between 'topic' and 'subject' arguments",
      fields: { var_name1: 'topic', var_name2: 'subject' },
    });
  });
});

describe('The fault that is reported', () => {
  it('is the first in the order of declaration, of any kind', () => {
    expect(faultOf({ count: 'x', content: 'too long' }).message).toMatch(/^content must be shorter/);
    expect(faultOf({ content: 'x', loud: 'x', count: 'x' }).message).toBe('count is not valid JSON');
    expect(faultOf({ ids: '7' }).message).toBe("Missing 'content' argument");
  });

  it.each([
    ['color', '3', 'color must be one of the following values: 1, 2'],
    ['ids', '[1,"2"]', 'each value in ids must be an integer number'],
    ['ids', '{}', 'ids must be an array'],
    [
      'things',
      '[{"name":"a","size":1},{"name":"a","size":10}]',
      /^Invalid things\[1\]\["size"\]: size must not be/,
    ],
    ['things', '[{"name":"a","size":1},7]', 'things[1] is not an object'],
    ['things', '"a"', 'things is not an object'],
    ['narrow', '[1,true]', /^Invalid narrow\[1\]: /],
    ['narrow', '7', /^Invalid narrow: /],
    ['rows', '[{"name":"a"},{"name":1}]', /^Invalid rows\[1\]\["name"\]: /],
  ])('of %s=%s names the place', (name, text, message) => {
    const fault = faultOf({ content: 'x', [name]: text });
    expect(fault.code).toBe('BAD_REQUEST');
    if (typeof message === 'string') expect(fault.message).toBe(message);
    else expect(fault.message).toMatch(message);
  });
});

describe('What no store could keep', () => {
  it.each([
    ['content', 'a\0b', 'content holds characters that cannot be stored'],
    ['to', '"\\ud800"', 'to holds characters that cannot be stored'],
    ['narrow', '[{"operator":"\\u0000"}]', 'narrow[0]["operator"] holds characters that cannot be stored'],
    ['narrow', '[{"\\u0000":1}]', 'narrow[0] holds characters that cannot be stored'],
    ['narrow', '[{"__proto__":1}]', 'Invalid narrow[0]: no field may be named __proto__'],
    ['narrow', '['.repeat(100_000) + ']'.repeat(100_000), 'narrow is nested too deeply'],
  ])('is refused in %s', (name, text, message) => {
    expect(faultOf({ content: 'x', [name]: text }).message).toBe(message);
  });
});

describe('JSON that takes long to read', () => {
  const depthLimit = budgets.jsonDepth.max;
  const valuesLimit = budgets.jsonValues.max;
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const spaced = ' '.repeat(2_000);
  const list = (length: number): string => `[${Array<string>(length).fill('1').join()}]`;
  const object = (fields: number): string =>
    `{${Array.from({ length: fields }, (_, index) => `"${index}":1`).join()}}`;

  it.each([
    ['too deep', nested(depthLimit + 1) + spaced, 'narrow is nested too deeply'],
    ['deep, between strings', `["\\\\","]",${nested(depthLimit)}${spaced}`, 'narrow is nested too deeply'],
    ['a list of too much', list(valuesLimit + 1), `narrow holds too many values (limit: ${valuesLimit})`],
    [
      'an object of too much',
      object(valuesLimit / 2 + 1),
      `narrow holds too many values (limit: ${valuesLimit})`,
    ],
  ])('is refused before it is parsed: %s', (_what, text, message) => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      expect(faultOf({ content: 'x', narrow: text }).message).toBe(message);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it.each([
    ['deep', nested(depthLimit) + spaced],
    ['a list', list(valuesLimit)],
    ['brackets and commas in strings', `["${'[,"'.replace('"', '\\"').repeat(valuesLimit)}"]`],
  ])('is read up to the limit: %s', (_what, text) => {
    expect(faultOf({ content: 'x', things: text }).message).not.toMatch(/too deeply|too many values/);
  });
});

describe('A class of parameters', () => {
  it('inherits those of its parent, and may say otherwise', () => {
    const plan = planOf(Extended);
    expect(plan.parameters.map(({ name }) => name).slice(-2)).toEqual(['extra', 'content']);
    expect(readParameters(plan, (name) => ({ extra: 'e', topic: 't' })[name])).toMatchObject({
      extra: 'e',
      topic: 't',
    });
  });

  it('knows every name that it supports', () => {
    expect([...planOf(Example).names]).toEqual(
      expect.arrayContaining(['content', 'topic', 'subject', 'narrow']),
    );
  });
});

describe('Any text at all', () => {
  const names = [...planOf(Example).names];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.json().map((json) => json.slice(1)),
    fc.constantFrom(
      '{"__proto__":{"a":1}}',
      '[[[',
      '"\\ud83d"',
      '1e999',
      '-',
      'null',
      '[null]',
      '[{}]',
      '{"name":null}',
    ),
  );

  it('is a value or a fault, never a crash', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), text), (sent) => {
        try {
          read({ content: 'x', ...sent });
        } catch (error) {
          expect(error).toBeInstanceOf(ApplicationError);
          expect((error as ApplicationError).status).toBe(400);
        }
        expect(({} as Record<string, unknown>)['a']).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});
