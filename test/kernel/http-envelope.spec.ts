import { describe, expect, it } from '@jest/globals';
import { EventStoreUnavailableError } from '../../src/stores/event-store/port.js';
import { clientName } from '../../src/http/authentication/request-origin.js';
import { asApplicationError } from '../../src/http/as-application-error.js';
import { errorBody, successBody } from '../../src/http/envelope.js';
import { requestId } from '../../src/http/monitoring/logger.js';
import { RawJson } from '../../src/kernel/json.js';
import { failure } from '../../src/kernel/errors.js';
import { ReadStoreUnavailableError } from '../../src/stores/read-store/port.js';
import { KeyDestroyedError } from '../../src/stores/key-store/record-keys.js';

describe('The envelope of a success', () => {
  it.each([
    [undefined, [], '{"result":"success","msg":""}'],
    [{}, [], '{"result":"success","msg":""}'],
    [{ id: 7, gone: undefined }, [], '{"result":"success","msg":"","id":7}'],
    [{ id: 7 }, ['a"b'], '{"result":"success","msg":"","id":7,"ignored_parameters_unsupported":["a\\"b"]}'],
    [undefined, ['a'], '{"result":"success","msg":"","ignored_parameters_unsupported":["a"]}'],
    [new RawJson('{}'), [], '{"result":"success","msg":""}'],
    [
      new RawJson('{"messages": [1,  2]}'),
      ['a'],
      '{"result":"success","msg":"","messages": [1,  2],"ignored_parameters_unsupported":["a"]}',
    ],
  ])('around %j, ignoring %j', (fields, ignored, text) => {
    expect(successBody(fields, ignored)).toBe(text);
    JSON.parse(text);
  });
});

describe('The envelope of an error', () => {
  it('holds the message, the fields and the code', () => {
    expect(errorBody(failure('missingParameter', { var_name: 'content' }))).toEqual({
      result: 'error',
      msg: "Missing 'content' argument",
      var_name: 'content',
      code: 'REQUEST_VARIABLE_MISSING',
    });
  });

  it('has no code for a verb that is not allowed', () => {
    expect(errorBody(failure('methodNotAllowed', { allowed_methods: ['GET'] }))).toEqual({
      result: 'error',
      msg: 'Method Not Allowed',
      allowed_methods: ['GET'],
    });
  });
});

describe('What was thrown', () => {
  it('is told to the client only where it was meant for one', () => {
    expect(asApplicationError(failure('invalidMessage')).message).toBe('Invalid message(s)');
    for (const thrown of [
      new TypeError('x of undefined'),
      'text',
      null,
      { statusCode: 400, message: 'not ours' },
    ]) {
      expect(asApplicationError(thrown)).toMatchObject({
        row: 'internalError',
        message: 'Internal server error',
      });
    }
  });

  it('is a refusal when it was about something erased', () => {
    const thrown = new KeyDestroyedError('owner-7');
    expect(asApplicationError(thrown)).toMatchObject({ row: 'alreadyErased', status: 400 });
  });

  it('is a passing trouble when a store cannot be reached', () => {
    for (const thrown of [new EventStoreUnavailableError('x', false), new ReadStoreUnavailableError('x')]) {
      expect(asApplicationError(thrown)).toMatchObject({ row: 'unavailable', status: 503 });
    }
  });
});

describe('The name of a client', () => {
  it.each([
    ['ZulipPython/0.9 CPython/3.12', 'ZulipPython'],
    ['curl/8.5.0', 'curl'],
    ['My bot', 'My bot'],
    ['/1.0', 'Unspecified'],
    ['', 'Unspecified'],
    [undefined, 'Unspecified'],
    ['x'.repeat(500), 'x'.repeat(100)],
  ])('in %j is %j', (userAgent, name) => {
    expect(clientName(userAgent)).toBe(name);
  });
});

describe('The id of a request', () => {
  it('is the one it was given, if that can stand in a log', () => {
    expect(requestId({ headers: { 'x-request-id': 'a1-b2.c:3' } })).toBe('a1-b2.c:3');
    for (const bad of ['', 'a b', 'a"b', 'x'.repeat(65), '\u001b[31m']) {
      expect(requestId({ headers: { 'x-request-id': bad } })).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
