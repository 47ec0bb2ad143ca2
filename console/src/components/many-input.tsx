import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { namedText, useNames, useSuggestions, type NamedKind } from './named.js';

export interface ManyInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly kind: NamedKind;
  /** Ids of the selected ones. */
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
  readonly disabled?: boolean;
}

/** An input for any number of people or channels, by name. */
export function ManyInput({ kind, value, onChange, ...input }: ManyInputProps) {
  const [search, setSearch] = useState('');
  const [isInUse, setInUse] = useState(false);
  const { found, isSearching } = useSuggestions(kind, search, isInUse);
  const selected = useNames(kind, value);
  const labels = new Map([...found, ...selected].map((one) => [one.id, namedText(one)]));
  // Ids whose names are unknown stay selected.
  for (const id of value) if (!labels.has(id)) labels.set(id, String(id));
  return (
    <MultiSelect
      {...input}
      data={[...labels].map(([id, label]) => ({ value: String(id), label }))}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      classNames={{ inputField: 'many-field' }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      onFocus={() => setInUse(true)}
      onBlur={() => setInUse(false)}
      nothingFoundMessage={isSearching ? 'Searching…' : 'Nothing is called so.'}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
