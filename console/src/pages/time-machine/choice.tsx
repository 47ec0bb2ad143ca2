import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/use-api.js';

/** What the form asks for, as it stands in the address. */
export interface Choice {
  readonly channel: string;
  readonly topic: string;
  readonly people: string;
  readonly at: string;
  readonly as: string;
  readonly with: string;
}

interface Channel {
  readonly stream_id: number;
  readonly name: string;
}

/** Which conversation, when, with whose eyes, and what it is compared with. */
export function ChoiceForm({
  choice,
  onChoose,
}: {
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}) {
  const [draft, setDraft] = useState(choice);
  const { data } = useApi<{ readonly streams: readonly Channel[] }>('streams');
  const channels = data?.streams ?? [];
  const field = (name: keyof Choice, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={draft[name]}
      onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
      {...(name === 'channel' && { list: 'channels' })}
    />
  );
  const submit = (): void => {
    const at = draft.at.trim() === 'now' ? '' : draft.at.trim();
    const named = channels.find(
      ({ name }) => name.toLowerCase() === draft.channel.replace(/^#/, '').toLowerCase(),
    );
    onChoose({ ...draft, at, ...(named !== undefined && { channel: String(named.stream_id) }) });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="choice">
        {field('channel', 'Channel', 'a name, or an id')}
        {field('topic', 'Topic', 'all of them')}
        {field('people', 'Or people', 'ids of all who talk directly')}
        {field('as', 'As seen by', 'the auditor: everything')}
        {field('at', 'Moment', 'now; or 2026-11-20T18:00, 1234')}
        {field('with', 'Compare with', 'another moment')}
      </div>
      <datalist id="channels">
        {channels.map(({ stream_id, name }) => (
          <option key={stream_id} value={name} />
        ))}
      </datalist>
      <Group mt="sm">
        <Button type="submit">Show</Button>
      </Group>
    </form>
  );
}
