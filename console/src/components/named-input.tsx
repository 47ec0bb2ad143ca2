import { TextInput, type TextInputProps } from '@mantine/core';
import { useId, useState } from 'react';
import { namedText, shownAs, type Named } from './named.js';

export interface NamedInputProps extends Pick<TextInputProps, 'name' | 'label' | 'placeholder' | 'size'> {
  /** Who or what can be named. */
  readonly all: readonly Named[];
  /** As it stands in the address: an id, or whatever else was written. */
  readonly value: string;
  /** Told what is written, as {@link idIn} reads it; absent: a form reads it. */
  readonly onWrite?: (text: string) => void;
}

/** So many are proposed at once. */
const PROPOSED = 50;

/** Asks for somebody or something by name, and proposes who fits. What is none of them, such as an e-mail address, may be written too. */
export function NamedInput({ all, value, onWrite, ...input }: NamedInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const list = useId();
  const text = draft ?? shownAs(value, all);
  const folded = text.toLowerCase();
  const fitting = all.filter(({ name }) => name.toLowerCase().includes(folded)).slice(0, PROPOSED);
  return (
    <>
      <TextInput
        {...input}
        value={text}
        list={list}
        autoComplete="off"
        onChange={({ target }) => {
          setDraft(target.value);
          onWrite?.(target.value);
        }}
      />
      <datalist id={list}>
        {fitting.map((one) => (
          <option key={one.id} value={namedText(one)} />
        ))}
      </datalist>
    </>
  );
}
