import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ManyInput } from '../../components/many-input.js';
import { MOMENT_HINT } from '../../components/moments.js';
import type { Case } from './case.js';
import { draftOf, editedFields, isSame, type CaseFields, type Draft } from './draft.js';
import { Scope } from './scope.js';

export interface CaseFormProps {
  /** The case to change; null: a new one. */
  readonly of: Case | null;
  readonly isBusy: boolean;
  /** Sends the edited fields, and calls back with the case that the server then has. */
  readonly onSave: (fields: CaseFields, onSaved: (saved: Case) => void) => void;
}

/** The form for a case. */
export function CaseForm({ of, isBusy, onSave }: CaseFormProps) {
  const { draft, before, isOutdated, setDraft, restart } = useDraft(of);
  const isHeld = of !== null && of.hold !== null;
  const save = (): void => {
    // The scope cannot be changed while the hold stands.
    const wanted = isHeld ? { ...before, name: draft.name, description: draft.description } : draft;
    onSave({ ...editedFields(wanted, before), ...(of !== null && { revision: of.revision }) }, restart);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="sm">
        {isOutdated && !isBusy && of !== null && <Outdated of={of} onReplace={() => restart(of)} />}
        <div className="choice">
          <Fields draft={draft} isHeld={isHeld} onChange={setDraft} />
        </div>
        {isHeld && <Scope of={of} />}
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

/** Keeps what was edited when the case changes, by a hold or by somebody else; what was not edited follows the case. */
function useDraft(of: Case | null) {
  const [base, setBase] = useState(of);
  const [draft, setDraft] = useState(() => draftOf(of));
  const [before, now] = [draftOf(base), draftOf(of)];
  const restart = (from: Case): void => {
    setBase(from);
    setDraft(draftOf(from));
  };
  // The list of cases may be read a little later than the reply to a change.
  const isNewer = of !== null && base !== null && of.revision > base.revision;
  const isOutdated = isNewer && !isSame(before, now) && !isSame(draft, before);
  if (isNewer && !isOutdated) {
    setBase(of);
    if (isSame(draft, before)) setDraft(now);
  }
  return { draft, before, isOutdated, setDraft, restart };
}

interface OutdatedProps {
  readonly of: Case;
  readonly onReplace: () => void;
}

function Outdated({ of, onReplace }: OutdatedProps) {
  return (
    <Alert color="yellow" role="status" title="Somebody has changed the case meanwhile">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          What you edited is kept, and only that is saved. The case is now called <bdi>{of.name}</bdi>
          {of.description !== '' && (
            <>
              , about <bdi>{of.description}</bdi>
            </>
          )}
          , and covers:
        </Text>
        <Scope of={of} />
        <Button size="xs" variant="default" onClick={onReplace}>
          Discard my edits
        </Button>
      </Stack>
    </Alert>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly isHeld: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** The fields that are entered as text. */
type TextName = 'name' | 'description' | 'from' | 'to' | 'words';

function Fields({ draft, isHeld, onChange }: FieldsProps) {
  const field = (name: TextName, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={draft[name]}
      onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
    />
  );
  return (
    <>
      {field('name', 'Name', 'what it is called')}
      {field('description', 'Description', 'what it is about')}
      {!isHeld && (
        <>
          <ManyInput
            label="People"
            placeholder={draft.people.length === 0 ? 'everybody' : ''}
            kind="people"
            value={draft.people}
            onChange={(ids) => onChange({ ...draft, people: ids })}
          />
          <ManyInput
            label="Channels"
            placeholder={draft.channels.length === 0 ? 'anywhere' : ''}
            kind="channels"
            value={draft.channels}
            onChange={(ids) => onChange({ ...draft, channels: ids })}
          />
          {field('from', 'Sent from', 'the beginning')}
          {field('to', 'Sent until', 'without end')}
          {field('words', 'Words', 'any text')}
        </>
      )}
    </>
  );
}
