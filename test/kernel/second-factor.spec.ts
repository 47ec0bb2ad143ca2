import { describe, expect, it } from '@jest/globals';
import { decideResetSecondFactor } from '../../src/contexts/users/second-factor.decide.js';
import {
  newRecoveryCodes,
  newSecret,
  plainRecoveryCode,
  secretUri,
  stepOf,
} from '../../src/contexts/users/one-time-passwords.js';
import type { ApplicationError } from '../../src/kernel/errors.js';
import { roles } from '../../src/access/records/roles.js';
import { TestOrganization } from '../support/organization.js';

/** `12345678901234567890` in base32: the secret of the test vectors in RFC 6238, appendix B. */
const vectorSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('one-time passwords', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are at %d seconds those of RFC 6238', (seconds, password) => {
    expect(stepOf(vectorSecret, password, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('are taken a step early or late, and told by the step that they are of', () => {
    const at = (steps: number): number => (1_111_111_109 + steps * 30) * 1000;
    const step = Math.floor(1_111_111_109 / 30);
    expect([-2, -1, 0, 1, 2].map((steps) => stepOf(vectorSecret, '081804', at(steps)))).toEqual([
      null,
      step,
      step,
      step,
      null,
    ]);
  });

  it('have six digits, and nothing else', () => {
    for (const sent of ['', '81804', '0818040', '08180a', '٠٨١٨٠٤', ' 081804'])
      expect(stepOf(vectorSecret, sent, 1_111_111_109_000)).toBeNull();
  });

  it('follow from a secret of 160 bits, which apps take as an address', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newSecret()).not.toBe(secret);
    const uri = new URL(secretUri(secret, { issuer: 'Engines & Co', account: 'ada@example.com' }));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Engines%20%26%20Co:ada%40example\.com\?/);
    expect(uri.searchParams.get('secret')).toBe(secret);
  });
});

describe('recovery codes', () => {
  it('are ten, each another, and read however they are written', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/);
      const plain = plainRecoveryCode(code);
      expect(plain).toBe(code.replace('-', ''));
      expect(plainRecoveryCode(` ${code.toUpperCase().replace('-', ' ')} `)).toBe(plain);
    }
    for (const sent of ['', '123456', 'abcde-fghi', 'abcde-fghij-k', 'abcde-fgh10']) {
      expect(plainRecoveryCode(sent)).toBeNull();
    }
  });
});

describe('resetting somebody’s second factor', () => {
  const organization = new TestOrganization();
  const [owner, other] = [roles.owner, roles.member].map((role) => organization.register({ role }));
  const bot = organization.register({ bot: { type: 1, ownerId: other!, isSystem: false } });
  const reset = (actorId: number, userId: number, isEnabled = true): string => {
    try {
      return decideResetSecondFactor(
        organization.users,
        { userId, isEnabled },
        { user: organization.user(actorId) },
      ).type;
    } catch (error) {
      return (error as ApplicationError).row;
    }
  };

  it('is for owners', () => {
    const results = Object.entries(roles).map(([name, role]) => [
      name,
      reset(organization.register({ role }), other!),
    ]);
    expect(Object.fromEntries(results)).toEqual({
      owner: 'SecondFactorRevoked',
      administrator: 'ownerRequired',
      moderator: 'ownerRequired',
      member: 'ownerRequired',
      guest: 'ownerRequired',
    });
  });

  it('tells nobody else who there is, or who has one', () => {
    expect([reset(other!, 9999), reset(other!, owner!, false), reset(other!, bot)]).toEqual(
      Array.from({ length: 3 }, () => 'ownerRequired'),
    );
  });

  it('is refused for oneself, for bots, for nobody, and where there is none', () => {
    expect(reset(owner!, owner!)).toBe('ownSecondFactor');
    expect(reset(owner!, bot)).toBe('noSuchUser');
    expect(reset(owner!, 9999)).toBe('noSuchUser');
    expect(reset(owner!, other!, false)).toBe('noSecondFactor');
  });
});
