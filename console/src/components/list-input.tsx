import { useState } from 'react';
import { SuggestedInput, type InputProps } from './suggested-input.js';

/** A value that can be chosen, and what it means. */
export interface Choice {
  readonly value: string;
  readonly meaning: string;
}

export interface ListInputProps extends InputProps {
  /** All values that are suggested. */
  readonly all: readonly Choice[];
  /** The values, separated by commas. */
  readonly value: string;
}

/** An input for values that are separated by commas, with suggestions for the last one. Other values are accepted too. */
export function ListInput({ all, value, ...input }: ListInputProps) {
  const [text, setText] = useState(value);
  const before = text.slice(0, text.lastIndexOf(',') + 1);
  const chosen = new Set(before.split(',').map((one) => one.trim()));
  const begun = text.slice(before.length).trim().toLowerCase();
  const suggestions = all
    .filter((one) => !chosen.has(one.value) && one.value.toLowerCase().includes(begun))
    .map((one) => ({ text: before + one.value, meaning: one.meaning }));
  return <SuggestedInput {...input} text={text} onWrite={setText} suggestions={suggestions} />;
}
