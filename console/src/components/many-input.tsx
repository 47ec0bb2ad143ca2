import { MultiSelect } from '@mantine/core';
import { namedText, type Named } from './named.js';

export interface ManyInputProps {
  readonly label: string;
  readonly placeholder: string;
  /** Who or what can be chosen. */
  readonly all: readonly Named[];
  /** Ids of those that are. */
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
  readonly disabled?: boolean;
}

/** So many are proposed at once. */
const PROPOSED = 50;

/** Asks for any number of people or channels by their names. */
export function ManyInput({ all, value, onChange, ...input }: ManyInputProps) {
  // Whoever is not known any more stays chosen by the id.
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
