import { describe, expect, it } from '@jest/globals';
import { unknownVariables } from '../../src/config.js';

describe('A variable of the environment', () => {
  it.each([
    ['S3_BUKET', 'S3_BUCKET'],
    ['SMPT_URL', 'SMTP_URL'],
    ['METRIC_TOKEN', 'METRICS_TOKEN'],
    ['DATADIR', 'DATA_DIR'],
    ['PROT', null],
  ])('%s is taken for %s', (name, meant) => {
    const said = meant === null ? [] : [`${name} is not known and has no effect: did you mean ${meant}?`];
    expect(unknownVariables({ [name]: 'x' })).toEqual(said);
  });

  it('with a beginning that only ours have is not known, whatever follows', () => {
    expect(unknownVariables({ PUSH_RELAY_TIMEOUT_SECONDS: '3' })).toEqual([
      'PUSH_RELAY_TIMEOUT_SECONDS is not known and has no effect.',
    ]);
  });

  it.each([
    'HOME',
    'HOSTNAME',
    'PATH',
    'PWD',
    'USER',
    'LANG',
    'SHELL',
    'TERM',
    'NODE_OPTIONS',
    'TMPDIR',
    'S3_BUCKET',
  ])('%s is nothing to be warned of', (name) => expect(unknownVariables({ [name]: 'x' })).toEqual([]));

  it('that is empty has no effect anyway', () => {
    expect(unknownVariables({ S3_BUKET: ' ' })).toEqual([]);
  });
});
