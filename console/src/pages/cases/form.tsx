import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ManyInput } from '../../components/many-input.js';
import { MOMENT_HINT, momentIn, momentText } from '../../components/moments.js';
import { useChannels, usePeople } from '../../components/named.js';
import type { Case } from './case.js';
import { Scope } from './scope.js';

/** The fields of a case, as sent. */
export type CaseFields = Readonly<Record<string, unknown>>;

/** The fields that are entered as text. */
type TextName = 'name' | 'description' | 'from' | 'to' | 'words';

export interface CaseFormProps {
  /** The case to change; null: a new one. */
  readonly of: Case | null;
  /** Whether there is a legal hold: then the scope cannot be changed. */
  readonly isHeld: boolean;
  readonly isBusy: boolean;
  readonly onSave: (fields: CaseFields) => void;
}

/** The form for a case. */
export function CaseForm({ of, isHeld, isBusy, onSave }: CaseFormProps) {
  const [draft, setDraft] = useState(() => draftOf(of));
  const [people, channels] = [usePeople(), useChannels()];
  const field = (name: TextName, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={draft[name]}
      onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
    />
  );
  const save = (): void => {
    const { name, description, words } = draft;
    const [from, to] = [momentIn(draft.from), momentIn(draft.to)];
    const scope = { user_ids: draft.people, channel_ids: draft.channels, from, to, words };
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
          {!isHeld && (
            <>
              <ManyInput
                label="People"
                placeholder={draft.people.length === 0 ? 'everybody' : ''}
                all={people}
                value={draft.people}
                onChange={(ids) => setDraft({ ...draft, people: ids })}
              />
              <ManyInput
                label="Channels"
                placeholder={draft.channels.length === 0 ? 'anywhere' : ''}
                all={channels}
                value={draft.channels}
                onChange={(ids) => setDraft({ ...draft, channels: ids })}
              />
              {field('from', 'Sent from', 'the beginning')}
              {field('to', 'Sent until', 'without end')}
              {field('words', 'Words', 'any text')}
            </>
          )}
        </div>
        {isHeld && of !== null && <Scope of={of} />}
        <Group>
          <Button type="submit" size="xs" disabled={isBusy || draft.name.trim() === ''}>
            {of === null ? 'Create the case' : 'Save the changes'}
          </Button>
          <Text size="sm" c="dimmed">
            {isHeld
              ? 'What the case covers cannot be changed until the hold is lifted.'
              : `${MOMENT_HINT} All of the words must be in a text.`}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

function draftOf(of: Case | null) {
  const time = (seconds: number | null): string =>
    seconds === null ? '' : momentText(new Date(seconds * 1000).toISOString());
  return {
    name: of?.name ?? '',
    description: of?.description ?? '',
    people: of?.user_ids ?? [],
    channels: of?.channel_ids ?? [],
    from: time(of?.from ?? null),
    to: time(of?.to ?? null),
    words: of?.words ?? '',
  };
}
