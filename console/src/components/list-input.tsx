import { TextInput, type TextInputProps } from '@mantine/core';
import { useId, useState } from 'react';

/** A value that can be chosen, and what it means. */
export interface Choice {
  readonly value: string;
  readonly meaning: string;
}

export interface ListInputProps extends Pick<TextInputProps, 'name' | 'label' | 'placeholder' | 'size'> {
  /** All values that are suggested. */
  readonly all: readonly Choice[];
  /** The values, separated by commas. */
  readonly value: string;
}

/** An input for values that are separated by commas, with suggestions for the last one. Other values are accepted too. */
export function ListInput({ all, value, ...input }: ListInputProps) {
  const [text, setText] = useState(value);
  const list = useId();
  const before = text.slice(0, text.lastIndexOf(',') + 1);
  const chosen = new Set(before.split(',').map((one) => one.trim()));
  const begun = text.slice(before.length).trim().toLowerCase();
  const fitting = all.filter((one) => !chosen.has(one.value) && one.value.toLowerCase().includes(begun));
  return (
    <>
      <TextInput
        {...input}
        value={text}
        list={list}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id={list}>
        {fitting.map((one) => (
          <option key={one.value} value={before + one.value}>
            {one.meaning}
          </option>
        ))}
      </datalist>
    </>
  );
}
