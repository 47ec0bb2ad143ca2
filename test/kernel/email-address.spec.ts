import { describe, expect, it } from '@jest/globals';
import { ApplicationError } from '../../src/kernel/errors.js';
import { emailAddressOf } from '../../src/contexts/users/email-address.js';

describe('an e-mail address', () => {
  it.each([
    "pat.o'brien@example.com",
    "a{b}|~`/=?^_!#$%&'*+-@example.com",
    'owner@palimpsest.localhost',
    'root@localhost',
    'Ada@EXAMPLE.com',
    'é@exämple.com',
    '名@例え.jp',
  ])('is %s', (email) => {
    expect(emailAddressOf(` ${email} `)).toBe(email);
  });

  it.each([
    '',
    'ada',
    'ada@b',
    'ada@example..com',
    'a..b@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'ada@-b.com',
    'ada@b-.com',
    'ada@example.com.',
    'ada b@example.com',
    'ada\u0000@example.com',
    '"ada b"@example.com',
    'ada@[127.0.0.1]',
    'Ada <ada@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.com`,
  ])('is not %j', (sent) => {
    expect(() => emailAddressOf(sent)).toThrow(ApplicationError);
  });
});
