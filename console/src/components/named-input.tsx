import { useState } from 'react';
import { namedText, shownAs, type Named } from './named.js';
import { SuggestedInput, type InputProps } from './suggested-input.js';

export interface NamedInputProps extends InputProps {
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
  const text = draft ?? shownAs(value, all);
  const folded = text.toLowerCase();
  const fitting = all.filter(({ name }) => name.toLowerCase().includes(folded)).slice(0, PROPOSED);
  const write = (written: string): void => {
    setDraft(written);
    onWrite?.(written);
  };
  const suggestions = fitting.map((one) => ({ text: namedText(one) }));
  return <SuggestedInput {...input} text={text} onWrite={write} suggestions={suggestions} />;
}
