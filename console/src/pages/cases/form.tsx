import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Case } from './case.js';

/** What a case is about, as it is sent. */
export type CaseFields = Readonly<Record<string, unknown>>;

export interface CaseFormProps {
  /** What is changed; null: a new case. */
  readonly of: Case | null;
  /** Whether a hold stands: its scope stays as it is. */
  readonly isHeld: boolean;
  readonly isBusy: boolean;
  readonly onSave: (fields: CaseFields) => void;
}

/** Asks what a case is about. */
export function CaseForm({ of, isHeld, isBusy, onSave }: CaseFormProps) {
  const [draft, setDraft] = useState(() => draftOf(of));
  const field = (name: keyof typeof draft, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={draft[name]}
      disabled={isHeld && name !== 'name' && name !== 'description'}
      onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
    />
  );
  const save = (): void => {
    const { name, description, people, channels, from, to, words } = draft;
    const scope = { user_ids: idsIn(people), channel_ids: idsIn(channels), from, to, words };
    onSave({ name, description, ...(isHeld ? {} : scope), ...(of !== null && { revision: of.revision }) });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="sm">
        <div className="choice">
          {field('name', 'Name', 'what it is called')}
          {field('description', 'Description', 'what it is about')}
          {field('people', 'People', 'their ids; empty: everybody')}
          {field('channels', 'Channels', 'their ids; empty: anywhere')}
          {field('from', 'Sent from', '2026-11-20; empty: the beginning')}
          {field('to', 'Sent until', '2026-11-21T18:00; empty: no end')}
          {field('words', 'Words', 'all of them; empty: any text')}
        </div>
        <Group>
          <Button type="submit" size="xs" disabled={isBusy || draft.name.trim() === ''}>
            {of === null ? 'Create the case' : 'Save the changes'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function draftOf(of: Case | null) {
  const time = (seconds: number | null): string =>
    seconds === null ? '' : new Date(seconds * 1000).toISOString().slice(0, 19);
  return {
    name: of?.name ?? '',
    description: of?.description ?? '',
    people: of?.user_ids.join(', ') ?? '',
    channels: of?.channel_ids.join(', ') ?? '',
    from: time(of?.from ?? null),
    to: time(of?.to ?? null),
    words: of?.words ?? '',
  };
}

function idsIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}
