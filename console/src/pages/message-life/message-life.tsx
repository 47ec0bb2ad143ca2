import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useApi } from '../../api/use-api.js';
import { useFilters } from '../../components/address.js';
import { NamedInput } from '../../components/named-input.js';
import { useIdOf } from '../../components/named.js';
import { Empty, Loaded, PageHead, Panel } from '../../components/states.js';
import { Audience } from './audience.js';
import { TimelineStep, type Step } from './timeline-step.js';
import { Views } from './views.js';
import '../past.css';

interface Timeline {
  readonly steps: readonly Step[];
}

/** The history of a message. */
export function MessageTimeline() {
  const { id = '' } = useParams<{ id?: string }>();
  const [{ as }] = useFilters(['as']);
  const isId = /^\d{1,15}$/.test(id);
  return (
    <>
      <PageHead title="Message">
        The history of a message since it was sent, and what somebody could see of it.
      </PageHead>
      <Stack gap="lg">
        <Choose key={`${id} ${as}`} id={id} as={as} />
        {isId ? <TimelineOf key={id} id={id} as={as} /> : <Empty>Enter the id of a message.</Empty>}
      </Stack>
    </>
  );
}

/** The parts of the address. */
interface Asked {
  /** Of the message; empty: none is requested. */
  readonly id: string;
  /** The id of the account whose view is requested; empty: none is. */
  readonly as: string;
}

function Choose({ id, as }: Asked) {
  const [draft, setDraft] = useState(id);
  const [viewer, setViewer] = useState(as);
  const idOf = useIdOf();
  const [, navigate] = useLocation();
  const show = async (): Promise<void> => {
    if (!/^\d+$/.test(draft.trim())) return;
    const seer = await idOf('people', viewer);
    const query = seer === '' ? '' : `?as=${encodeURIComponent(seer)}`;
    navigate(`/messages/${draft.trim()}${query}`);
  };
  return (
    <Panel title="Which message">
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault();
          void show();
        }}
      >
        <TextInput
          label="Message"
          placeholder="its id"
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
        />
        <div>
          <NamedInput
            label="What could this person see of it"
            placeholder="a name, an e-mail address or an id"
            kind="people"
            value={as}
            onWrite={setViewer}
          />
        </div>
        <Button type="submit">Show</Button>
      </form>
    </Panel>
  );
}

function TimelineOf({ id, as }: Asked) {
  const query = useApi<Timeline>(`audit/messages/${id}/history`);
  return (
    <>
      <Loaded query={query} of="the life of the message">
        {({ steps }) => (
          <Panel title="What happened">
            <ol className="life">
              {steps.map((step) => (
                <li key={step.eventId} className={`life-step ${step.change.kind}`}>
                  <TimelineStep step={step} messageId={id} />
                </li>
              ))}
            </ol>
            <Link href={`/proofs?message=${id}`}>Prove message {id}</Link>
            {!steps.some(({ change }) => change.kind === 'deleted') && <Now messageId={id} />}
          </Panel>
        )}
      </Loaded>
      {as !== '' && <Views key={as} id={id} as={as} />}
    </>
  );
}

function Now({ messageId }: { readonly messageId: string }) {
  return (
    <Group align="flex-start">
      <Audience messageId={messageId} at={null} question="who-could-see">
        Who can see it now
      </Audience>
      <Audience messageId={messageId} at={null} question="readers">
        Who has read it
      </Audience>
    </Group>
  );
}
