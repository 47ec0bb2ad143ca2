import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useFilters } from '../../components/address.js';
import { PageHead, Panel } from '../../components/states.js';
import { EventTable } from './event-table.js';

const texts = {
  about: 'Person concerned',
  actor: 'Who acted',
  channel_id: 'Channel (id)',
  topic: 'Topic of the channel',
  message_id: 'Message (id)',
  type: 'Types of events',
  from: 'From (time or position)',
  to: 'To',
} as const;

const choices = {
  role: {
    label: 'Role of who acted, then',
    data: ['', 'owner', 'administrator', 'moderator', 'member', 'guest'],
  },
  content: { label: 'Whose messages were changed', data: ['', 'own', 'others'] },
} as const;

type Name = keyof typeof texts | keyof typeof choices;
const names = [...Object.keys(texts), ...Object.keys(choices)] as Name[];

/** The log, newest first, by what is in the address. */
export function Log() {
  const [filters, change] = useFilters(names);
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const key = JSON.stringify(asked);
  return (
    <>
      <PageHead title="Log">
        Every change that was ever made, newest first. That you look is recorded in it, with what you ask for;
        following what comes is one look.
      </PageHead>
      <Panel title="What to show">
        <FilterForm key={key} filters={filters} change={change} />
      </Panel>
      <section aria-label="Events" className="below">
        <EventTable key={key} path="audit/log" filters={asked} label="Events of the log" canFollow />
      </section>
    </>
  );
}

interface FilterFormProps {
  readonly filters: Readonly<Record<Name, string>>;
  readonly change: (changed: Partial<Record<Name, string>>) => void;
}

function FilterForm({ filters, change }: FilterFormProps) {
  const show = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const valueOf = (name: Name): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    change(Object.fromEntries(names.map((name) => [name, valueOf(name)])));
  };
  return (
    <form onSubmit={show}>
      <div className="filters">
        {Object.entries(texts).map(([name, label]) => (
          <TextInput key={name} name={name} label={label} size="xs" defaultValue={filters[name as Name]} />
        ))}
        {Object.entries(choices).map(([name, { label, data }]) => (
          <NativeSelect
            key={name}
            name={name}
            label={label}
            size="xs"
            data={data.map((value) => ({ value, label: value === '' ? 'any' : value }))}
            defaultValue={filters[name as Name]}
          />
        ))}
      </div>
      <Group mt="sm">
        <Button type="submit" size="xs">
          Show
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => change(Object.fromEntries(names.map((name) => [name, ''])))}
        >
          Everything
        </Button>
      </Group>
    </form>
  );
}
