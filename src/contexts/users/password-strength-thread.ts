import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import type { StrengthAnswer, StrengthQuestion } from './password-policy.js';

/** Code points of a password that are examined: more cannot make it weak. */
const MAX_LENGTH = 100;

/**
 * Most passwords are judged by this many code points; only if these do not suffice, more are examined, which
 * is expensive.
 */
const FIRST_LOOK = 16;

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  maxLength: MAX_LENGTH,
  // Every combination of look-alike characters is tried: a higher limit would cost seconds without a better
  // estimate.
  l33tMaxSubstitutions: 10,
});

parentPort?.on('message', ({ id, password, related, enough }: StrengthQuestion) => {
  const codePoints = [...password].slice(0, MAX_LENGTH);
  const guesses = (length: number): number =>
    estimator.check(codePoints.slice(0, length).join(''), [...related]).guesses;
  const first = guesses(FIRST_LOOK);
  const isDecided = first >= enough || codePoints.length <= FIRST_LOOK;
  parentPort?.postMessage({ id, guesses: isDecided ? first : guesses(MAX_LENGTH) } satisfies StrengthAnswer);
});
