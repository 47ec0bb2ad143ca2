import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MOMENT_HINT, momentIn, momentText } from '../../components/moments.js';
import { NamedInput } from '../../components/named-input.js';
import { idsIn, useIdOf } from '../../components/named.js';
import { ManyInput } from '../../components/many-input.js';

/** The input of the form, as in the address. */
export interface Choice {
  readonly channel: string;
  readonly topic: string;
  readonly people: string;
  readonly at: string;
  readonly as: string;
  readonly with: string;
}

/** The form: which conversation, when, as which account, and the time to compare with. */
export function ChoiceForm({
  choice,
  onChoose,
}: {
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}) {
  const [draft, setDraft] = useState({ ...choice, at: momentText(choice.at), with: momentText(choice.with) });
  const idOf = useIdOf();
  const write = (name: keyof Choice) => (text: string) => setDraft({ ...draft, [name]: text });
  const moment = (name: 'at' | 'with', label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={draft[name]}
      onChange={({ target }) => write(name)(target.value)}
    />
  );
  const submit = async (): Promise<void> => {
    const at = draft.at.trim() === 'now' ? '' : momentIn(draft.at);
    const [channel, as] = await Promise.all([idOf('channels', draft.channel), idOf('people', draft.as)]);
    onChoose({ ...draft, at, with: momentIn(draft.with), channel, as });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="choice">
        <ConversationFields choice={choice} draft={draft} write={write} />
        {moment('at', 'Moment', 'now, a time or a position')}
        {moment('with', 'Compare with', 'another moment')}
      </div>
      <Group mt="sm">
        <Button type="submit">Show</Button>
        <Text size="sm" c="dimmed">
          {MOMENT_HINT}
        </Text>
      </Group>
    </form>
  );
}

interface ConversationFieldsProps {
  /** As in the address. */
  readonly choice: Choice;
  readonly draft: Choice;
  readonly write: (name: keyof Choice) => (text: string) => void;
}

/** Which conversation, and as which account. */
function ConversationFields({ choice, draft, write }: ConversationFieldsProps) {
  return (
    <>
      <NamedInput
        label="Channel"
        placeholder="a name, or an id"
        kind="channels"
        value={choice.channel}
        onWrite={write('channel')}
      />
      <TextInput
        label="Topic"
        placeholder="all of them"
        value={draft.topic}
        onChange={({ target }) => write('topic')(target.value)}
      />
      <ManyInput
        label="Or who talk directly"
        placeholder="everybody who does"
        kind="people"
        value={idsIn(draft.people)}
        onChange={(ids) => write('people')(ids.join(','))}
      />
      <NamedInput
        label="As seen by"
        placeholder="the auditor: everything"
        kind="people"
        value={choice.as}
        onWrite={write('as')}
      />
    </>
  );
}
