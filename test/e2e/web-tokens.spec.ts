import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, type JWTPayload } from 'jose';
import { ApiClient, type Answer } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

const secret = 'what the other server signs with';
let server: TestServer;
let owner: ApiClient;
let anonymous: ApiClient;

beforeAll(async () => {
  server = await TestServer.start({ environment: { JWT_AUTH_KEY: secret, JWT_AUTH_ALGORITHMS: 'HS256' } });
  owner = await server.owner();
  anonymous = new ApiClient(server.site, null);
});

afterAll(async () => {
  await server.stop();
});

function signed(claims: JWTPayload, key = secret): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key));
}

async function exchange(claims: JWTPayload, parameters: object = {}): Promise<Answer> {
  return anonymous.post('jwt/fetch_api_key', { token: await signed(claims), ...parameters });
}

describe('a JSON Web Token', () => {
  it('is exchanged for a key of the person with the claimed address, in any letter case', async () => {
    const { id } = await server.createUser(owner, 'Ada');
    const { status, body } = await exchange({ email: 'ADA@example.com' });
    expect([status, body]).toEqual([
      200,
      { result: 'success', msg: '', api_key: expect.stringMatching(/^\w{32}$/), email: 'ada@example.com' },
    ]);
    const ada = new ApiClient(server.site, { email: 'ada@example.com', key: body['api_key'] as string });
    expect((await ada.must('get', 'users/me'))['user_id']).toBe(id);
  });

  it('brings the account along where that is asked for, as any other look-up gives it', async () => {
    const { id, client } = await server.createUser(owner, 'Bo');
    const { body } = await exchange({ email: 'bo@example.com' }, { include_profile: true });
    const { user } = await client.must('get', `users/${id}`, { client_gravatar: false });
    expect(body['user']).toEqual(user);
    const plain = await exchange({ email: 'bo@example.com' }, { include_profile: false });
    expect(plain.body).not.toHaveProperty('user');
  });

  it('lets a person in who never logged in before', async () => {
    await owner.must('post', 'users', {
      email: 'cas@example.com',
      password: 'mauve loom 1843',
      full_name: 'Cas',
    });
    expect((await exchange({ email: 'cas@example.com' })).status).toBe(200);
  });

  it('is refused when it is missing, wrong, expired, or claims no address', async () => {
    const expired = { email: 'ada@example.com', exp: Math.floor(Date.now() / 1000) - 1 };
    const forged = await signed({ email: 'ada@example.com' }, `${secret}!`);
    for (const answer of [
      await anonymous.post('jwt/fetch_api_key'),
      await anonymous.post('jwt/fetch_api_key', { token: forged }),
      await anonymous.post('jwt/fetch_api_key', { token: 'nonsense' }),
      await exchange(expired),
      await exchange({ sub: 'ada@example.com' }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
      expect(answer.body).not.toHaveProperty('api_key');
    }
  });

  it('is worth nothing for an address that no person has, or whose person was deactivated', async () => {
    const { id } = await server.createUser(owner, 'Dee');
    await owner.must('delete', `users/${id}`);
    const gone = await exchange({ email: 'dee@example.com' });
    expect([gone.status, gone.body.code]).toEqual([401, 'USER_DEACTIVATED']);
    const made = await owner.must('post', 'bots', { full_name: 'Relay', short_name: 'relay' });
    const { user } = await owner.must('get', `users/${made['user_id']}`);
    for (const email of ['nobody@example.com', user['delivery_email'] as string]) {
      const { status, body } = await exchange({ email });
      expect([status, body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
    }
  });

  it('is never logged', () => {
    expect(server.log.join('\n')).not.toContain('eyJ');
  });
});

describe('a server without a key for tokens', () => {
  it('says so', async () => {
    const plain = await TestServer.start();
    try {
      const token = await signed({ email: 'ada@example.com' });
      const { status, body } = await new ApiClient(plain.site, null).post('jwt/fetch_api_key', { token });
      expect([status, body]).toEqual([
        400,
        { result: 'error', msg: expect.stringContaining('JWT_AUTH_KEY'), code: 'BAD_REQUEST' },
      ]);
    } finally {
      await plain.stop();
    }
  });
});
