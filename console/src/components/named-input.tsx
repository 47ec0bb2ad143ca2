import { TextInput, type TextInputProps } from '@mantine/core';
import { useId, useState } from 'react';
import { namedText, shownAs, type Named } from './named.js';

export interface NamedInputProps extends Pick<TextInputProps, 'name' | 'label' | 'placeholder' | 'size'> {
  /** All options. */
  readonly all: readonly Named[];
  /** As in the address: an id, or whatever was entered. */
  readonly value: string;
  /** Called with the entered text, converted by {@link idIn}; absent: a form reads the field. */
  readonly onWrite?: (text: string) => void;
}

/** Maximum number of suggestions. */
const PROPOSED = 50;

/** An input for a person or a channel, by name, with suggestions. Other texts, such as an e-mail address, are accepted too. */
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
