import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import type { StrengthAnswer, StrengthQuestion } from './password-strength.js';

/** Code points of a password that are looked at: what follows them makes no password weak. */
const maxLength = 100;

/** Most passwords are judged by so many code points; only what they leave open costs more. */
const firstLook = 16;

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  maxLength,
  // Every combination of look-alike characters is tried: more of them would cost seconds and tell nothing.
  l33tMaxSubstitutions: 10,
});

parentPort?.on('message', ({ id, password, related, enough }: StrengthQuestion) => {
  const codePoints = [...password].slice(0, maxLength);
  const guesses = (length: number): number =>
    estimator.check(codePoints.slice(0, length).join(''), [...related]).guesses;
  const first = guesses(firstLook);
  const isJudged = first >= enough || codePoints.length <= firstLook;
  parentPort?.postMessage({ id, guesses: isJudged ? first : guesses(maxLength) } satisfies StrengthAnswer);
});
