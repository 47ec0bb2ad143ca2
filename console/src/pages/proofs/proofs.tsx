import { Button, FileInput, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFilters } from '../../components/address.js';
import { Empty, Failed, Loaded, PageHead, Panel } from '../../components/states.js';
import { Check } from './check.js';
import { useBegin, useProof, type Begin, type Proof } from './proof.js';
import { Seals } from './seals.js';
import { Work } from './work.js';
import '../past.css';

/** Seals, verification of the log, and proofs for outsiders. */
export function Proofs() {
  const query = useProof();
  const begin = useBegin();
  const proof = query.data?.proof ?? null;
  const isBusy = proof?.state === 'running' || begin.isPending;
  return (
    <>
      <PageHead title="Proofs">
        Proves to you and to outsiders that nobody changed the log, as <code>palimpsest audit verify</code>,{' '}
        <code>seal</code> and <code>check</code> do.
      </PageHead>
      <div className="stack">
        <Seals />
        <Panel title="Verify and prove">
          <Ask isBusy={isBusy} onBegin={begin.mutate} />
        </Panel>
        <Panel title="Result">
          {begin.error !== null && <Failed error={begin.error} />}
          <Loaded query={query} of="the last result">
            {({ proof: last }) => <Last proof={last} />}
          </Loaded>
        </Panel>
        <Check />
      </div>
    </>
  );
}

function Last({ proof }: { readonly proof: Proof | null }) {
  if (proof === null) return <Empty>Nothing was verified or proven since the server started.</Empty>;
  return <Work proof={proof} />;
}

interface AskProps {
  readonly isBusy: boolean;
  readonly onBegin: (begin: Begin) => void;
}

function Ask({ isBusy, onBegin }: AskProps) {
  const [kept, setKept] = useState<File | null>(null);
  const [{ message }, change] = useFilters(['message']);
  const messageId = /^[1-9]\d{0,14}$/.test(message) ? Number(message) : null;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Verifying and proving read the whole log, in the background. If you choose a proof that you kept,
        verifying compares the log with it, and a new proof shows that the log continues it.
      </Text>
      <div className="choice">
        <FileInput
          label="A proof that was kept"
          placeholder="Choose a file"
          clearable
          value={kept}
          onChange={setKept}
        />
        <NumberInput
          label="Message to prove"
          placeholder="its id"
          min={1}
          allowDecimal={false}
          hideControls
          value={messageId ?? ''}
          onChange={(value) => change({ message: String(value) })}
        />
      </div>
      <Actions kept={kept} messageId={messageId} isBusy={isBusy} onBegin={onBegin} />
    </Stack>
  );
}

interface ActionsProps extends AskProps {
  /** A proof to compare with; null: none was chosen. */
  readonly kept: File | null;
  /** The message to prove; null: none was named. */
  readonly messageId: number | null;
}

function Actions({ kept, messageId, isBusy, onBegin }: ActionsProps) {
  const verify = async (): Promise<void> => {
    const text = await kept?.text();
    onBegin({ kind: 'verification', ...(text !== undefined && { kept: text }) });
  };
  const prove = async (id: number | null): Promise<void> => {
    const earlier = await kept?.text();
    onBegin({
      kind: 'bundle',
      ...(id !== null && { message_id: id }),
      ...(earlier !== undefined && { earlier }),
    });
  };
  return (
    <Group>
      <Button size="xs" disabled={isBusy} onClick={() => void verify()}>
        Verify the log
      </Button>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => void prove(null)}>
        Take a signed tree head
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isBusy || messageId === null}
        onClick={() => void prove(messageId)}
      >
        Prove the message
      </Button>
    </Group>
  );
}
