import { MultiSelect } from '@mantine/core';
import { namedText, type Named } from './named.js';

export interface ManyInputProps {
  readonly label: string;
  readonly placeholder: string;
  /** All options. */
  readonly all: readonly Named[];
  /** Ids of the selected ones. */
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
  readonly disabled?: boolean;
}

/** Maximum number of suggestions. */
const PROPOSED = 50;

/** An input for any number of people or channels, by name. */
export function ManyInput({ all, value, onChange, ...input }: ManyInputProps) {
  // Unknown ids stay selected.
  const known = new Set(all.map(({ id }) => id));
  const data = [
    ...all.map((one) => ({ value: String(one.id), label: namedText(one) })),
    ...value.filter((id) => !known.has(id)).map((id) => ({ value: String(id), label: String(id) })),
  ];
  return (
    <MultiSelect
      {...input}
      data={data}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      classNames={{ inputField: 'many-field' }}
      searchable
      limit={PROPOSED}
      nothingFoundMessage="Nothing is called so."
      comboboxProps={{ withinPortal: false }}
    />
  );
}
