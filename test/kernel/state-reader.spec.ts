import { describe, expect, it } from '@jest/globals';
import { replyBytes, replyBytesInTurns } from '../../src/http/envelope.js';
import { RawJson } from '../../src/kernel/json.js';
import type { InitialState, StateRequest } from '../../src/realtime/initial-state.js';
import { StateReader, type StateReaderOptions } from '../../src/realtime/state-reader.js';
import { standIn } from '../support/stand-in.js';
import { countingTurns } from '../support/turns.js';

const request = standIn<StateRequest>({ fetched: null });

function reading(initialState: InitialState): StateReader {
  return new StateReader(standIn<StateReaderOptions<unknown>>({ initialState, queries: {}, models: {} }));
}

const parts: InitialState = {
  one: () => ({ a: 1, absent: undefined }),
  two: () => Promise.resolve({ b: new RawJson('[2]') }),
  three: () => ({ c: { d: '3' } }),
};

describe('what a client is told of from the start', () => {
  it('is put together member by member, with turns for others in between', async () => {
    const { result, turns } = await countingTurns(() => reading(parts).read(request));
    expect(result).toEqual(['"a":1', '"b":[2]', '"c":{"d":"3"}']);
    // At least one turn for each part and for each member.
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('fails as the first of its parts does, also of one that began before others did', async () => {
    const failing: InitialState = { failing: () => Promise.reject(new Error('Not this one')), ...parts };
    await expect(countingTurns(() => reading(failing).read(request))).rejects.toThrow('Not this one');
  });
});

describe('a long reply', () => {
  it('is the same bytes as any, and is made with turns for others in between', async () => {
    const members = ['"a":"ü😀"', '"b":2,"c":3', '"d":[]'];
    const { result, turns } = await countingTurns(() => replyBytesInTurns(members));
    expect(result).toEqual(replyBytes(new RawJson(`{${members.join(',')}}`)));
    expect(turns).toBeGreaterThanOrEqual(members.length - 1);
    expect(await replyBytesInTurns([])).toEqual(replyBytes({}));
  });
});
