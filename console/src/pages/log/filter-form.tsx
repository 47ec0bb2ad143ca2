import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { plural } from '../../components/numbers.js';
import { MOMENT_HINT, momentIn, momentText } from '../../components/moments.js';
import { ListInput } from '../../components/list-input.js';
import { NamedInput } from '../../components/named-input.js';
import { useIdOf } from '../../components/named.js';
import { useEventTypes } from './event-types.js';

const named = {
  about: { label: 'Person concerned', kind: 'people' },
  actor: { label: 'Who acted', kind: 'people' },
  channel_id: { label: 'Channel', kind: 'channels' },
} as const;

const texts = {
  topic: 'Topic of the channel',
  message_id: 'Message (id)',
  from: 'From (time or position)',
  to: 'To',
  at: 'Begin at (time or position)',
} as const;

/** With suggestions, several separated by commas. */
const lists = { type: 'Types of events' } as const;

const choices = {
  role: {
    label: 'Role of who acted',
    data: ['', 'owner', 'administrator', 'moderator', 'member', 'guest'],
  },
  content: { label: 'Messages changed', data: ['', 'own', 'others'] },
} as const;

export type FilterName = keyof typeof named | keyof typeof texts | keyof typeof lists | keyof typeof choices;

/** All filters of the log, with their names in the address and the API. */
export const filterNames = [named, texts, lists, choices].flatMap((fields) =>
  Object.keys(fields),
) as FilterName[];

export interface FilterFormProps {
  readonly filters: Readonly<Record<FilterName, string>>;
  readonly change: (changed: Partial<Record<FilterName, string>>) => void;
}

/** On a phone the filters are collapsed. */
const isNarrow = (): boolean => window.matchMedia('(max-width: 47.99em)').matches;

/** The form for the filters of the log. */
export function FilterForm({ filters, change }: FilterFormProps) {
  const [opensFirst] = useState(() => !isNarrow());
  const idOf = useIdOf();
  const set = filterNames.filter((name) => name !== 'at' && filters[name] !== '').length;
  const show = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const values = filterNames.map(async (name) => [name, await valueIn(form, name, idOf)] as const);
    change(Object.fromEntries(await Promise.all(values)));
  };
  return (
    <details className="filter-panel" open={opensFirst}>
      <summary>{set === 0 ? 'Filters' : plural(set, 'filter')}</summary>
      <form onSubmit={(event) => void show(event)}>
        <Fields filters={filters} />
        <Group mt="sm" gap="xs">
          <Button type="submit" size="xs">
            Show
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => change(Object.fromEntries(filterNames.map((name) => [name, ''])))}
          >
            Everything
          </Button>
          <Text size="xs" c="dimmed">
            {MOMENT_HINT}
          </Text>
        </Group>
      </form>
    </details>
  );
}

/** A field for each filter, with its value in the address. */
function Fields({ filters }: Pick<FilterFormProps, 'filters'>) {
  const types = useEventTypes();
  return (
    <div className="filters">
      {entriesOf(named).map(([name, { label, kind }]) => (
        <NamedInput key={name} name={name} label={label} size="xs" kind={kind} value={filters[name]} />
      ))}
      {entriesOf(texts).map(([name, label]) => (
        <TextInput
          key={name}
          name={name}
          label={label}
          size="xs"
          defaultValue={isMoment(name) ? momentText(filters[name]) : filters[name]}
        />
      ))}
      {entriesOf(lists).map(([name, label]) => (
        <ListInput key={name} name={name} label={label} size="xs" all={types} value={filters[name]} />
      ))}
      {entriesOf(choices).map(([name, { label, data }]) => (
        <NativeSelect
          key={name}
          name={name}
          label={label}
          size="xs"
          data={data.map((value) => ({ value, label: value === '' ? 'any' : value }))}
          defaultValue={filters[name]}
        />
      ))}
    </div>
  );
}

async function valueIn(form: FormData, name: FilterName, idOf: ReturnType<typeof useIdOf>): Promise<string> {
  const value = form.get(name);
  if (typeof value !== 'string') return '';
  if (isNamed(name)) return idOf(named[name].kind, value);
  return isMoment(name) ? momentIn(value) : value.trim();
}

function isNamed(name: FilterName): name is keyof typeof named {
  return name in named;
}

function isMoment(name: FilterName): boolean {
  return name === 'from' || name === 'to' || name === 'at';
}

function entriesOf<Fields extends object>(fields: Fields) {
  return Object.entries(fields) as { [Name in keyof Fields]: [Name, Fields[Name]] }[keyof Fields][];
}
