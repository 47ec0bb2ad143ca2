import { useState } from 'react';
import { namedText, shownAs, useNames, useSuggestions, type NamedKind } from './named.js';
import { SuggestedInput, type InputProps } from './suggested-input.js';

export interface NamedInputProps extends InputProps {
  readonly kind: NamedKind;
  /** As in the address: an id, or whatever was entered. */
  readonly value: string;
  /** Called with the entered text, of which `useIdOf` finds the id; absent: a form reads the field. */
  readonly onWrite?: (text: string) => void;
}

/** An input for a person or a channel, by name, with suggestions. Other texts, such as an e-mail address, are accepted too. */
export function NamedInput({ kind, value, onWrite, ...input }: NamedInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [isInUse, setInUse] = useState(false);
  const known = useNames(kind, /^\d{1,15}$/.test(value) ? [Number(value)] : []);
  const text = draft ?? shownAs(value, known);
  // A text that a suggestion was taken from needs no more of them.
  const { found } = useSuggestions(kind, text, isInUse && !/\(\d+\)$/.test(text));
  const write = (written: string): void => {
    setDraft(written);
    onWrite?.(written);
  };
  const suggestions = found.map((one) => ({ text: namedText(one) }));
  return (
    <SuggestedInput
      {...input}
      text={text}
      onWrite={write}
      onFocus={() => setInUse(true)}
      onBlur={() => setInUse(false)}
      suggestions={suggestions}
    />
  );
}
