import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../src/stores/event-store/canonical-json.js';

describe('canonical JSON', () => {
  it('writes the example of RFC 8785, section 3.2.4', () => {
    const source = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(source))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts members by UTF-16 code units, as the example of RFC 8785, section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      '1',
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
  });

  it('writes the numbers of RFC 8785, appendix B', () => {
    const numbers: [number, string][] = [
      [-0, '0'],
      [5e-324, '5e-324'],
      [1.7976931348623157e308, '1.7976931348623157e+308'],
      [9007199254740992, '9007199254740992'],
      [2 ** 68, '295147905179352830000'],
      [1e23, '1e+23'],
      [999999999999999900000, '999999999999999900000'],
      [1e21, '1e+21'],
      [0.000001, '0.000001'],
      [333333333.3333332, '333333333.3333332'],
    ];
    for (const [number, text] of numbers) expect(canonicalJson(number)).toBe(text);
  });

  it('is the same however an object was put together, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        const text = canonicalJson(plain);
        expect(JSON.parse(text)).toEqual(plain);
        expect(canonicalJson(reversed(plain))).toBe(text);
        expect(text.length).toBe(JSON.stringify(plain).length);
      }),
    );
  });

  it('leaves out members that are undefined, as JSON does', () => {
    expect(canonicalJson({ b: undefined, a: 1, c: { d: undefined } })).toBe('{"a":1,"c":{}}');
  });

  it('refuses what has no canonical form', () => {
    for (const value of [NaN, Infinity, '\ud800', { '\udc00': 1 }, [undefined], 1n, new Date(0), () => 1]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
