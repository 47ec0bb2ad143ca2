import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

/** A search of a case. */
export interface SearchInput {
  readonly kind: 'search';
  readonly words: string;
  /** Only later messages: the `beyond` of an earlier search. */
  readonly after?: number;
}

/** A task to begin. */
export type TaskInput = SearchInput | { readonly kind: 'size' | 'export' };

interface TaskFormProps {
  readonly isBusy: boolean;
  readonly onBegin: (input: TaskInput) => void;
}

/** The form for searching, counting and exporting what a case covers. */
export function TaskForm({ isBusy, onBegin }: TaskFormProps) {
  const [words, setWords] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onBegin({ kind: 'search', words });
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          The search includes deleted messages and earlier versions whose keys still exist. Every search,
          count and export is recorded.
        </Text>
        <TextInput
          label="Words to search"
          placeholder="all must occur; quoted words must be adjacent"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Group>
          <Button type="submit" size="xs" disabled={isBusy || words.trim() === ''}>
            Search
          </Button>
          <Button size="xs" variant="default" disabled={isBusy} onClick={() => onBegin({ kind: 'size' })}>
            Count what it covers
          </Button>
          <Button size="xs" variant="default" disabled={isBusy} onClick={() => onBegin({ kind: 'export' })}>
            Export
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
