import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';

/** What an input with suggestions takes from its form. */
export type InputProps = Pick<TextInputProps, 'name' | 'label' | 'placeholder' | 'size'>;

interface SuggestedInputProps extends InputProps, Pick<TextInputProps, 'onFocus' | 'onBlur'> {
  readonly text: string;
  readonly onWrite: (text: string) => void;
  /** The whole text of each suggestion, and what it means. */
  readonly suggestions: readonly { readonly text: string; readonly meaning?: string }[];
}

/** A text input with the browser's suggestions. Other texts are accepted too. */
export function SuggestedInput({ text, onWrite, suggestions, ...input }: SuggestedInputProps) {
  const list = useId();
  return (
    <>
      <TextInput
        {...input}
        value={text}
        list={list}
        autoComplete="off"
        onChange={({ target }) => onWrite(target.value)}
      />
      <datalist id={list}>
        {suggestions.map((one) => (
          <option key={one.text} value={one.text}>
            {one.meaning}
          </option>
        ))}
      </datalist>
    </>
  );
}
