import { Button, FileInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session.js';
import { count, plural } from '../../components/numbers.js';
import { Outcome } from '../../components/outcome.js';
import { Failed, Panel } from '../../components/states.js';
import { Time } from '../../components/time.js';

interface Checked {
  readonly claim: { readonly organization: string; readonly size: number; readonly statedAt: string };
  readonly signer: string;
  readonly isSignerKnown: boolean;
  readonly events: readonly {
    readonly index: number;
    readonly stream: string;
    readonly revision: number;
    readonly type: string;
    readonly at: number;
  }[];
  readonly faults: readonly string[];
}

/** Checks a saved proof bundle, without the log. */
export function Check() {
  const { ask } = useSession();
  const [bundle, setBundle] = useState<File | null>(null);
  const [earlier, setEarlier] = useState<File | null>(null);
  const [signer, setSigner] = useState('');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const check = async (): Promise<void> => {
    setError(null);
    setChecked(null);
    try {
      const parameters = {
        bundle: await bundle?.text(),
        earlier: await earlier?.text(),
        signer: signer.trim() === '' ? undefined : signer.trim(),
      };
      setChecked(await ask<Checked>({ method: 'POST', path: 'audit/proofs/check', parameters }));
    } catch (reason) {
      setError(reason as Error);
    }
  };
  return (
    <Panel title="Check a proof that was kept">
      <Stack gap="sm">
        <div className="choice">
          <FileInput label="Proof" placeholder="Choose a file" value={bundle} onChange={setBundle} />
          <FileInput
            label="An earlier one that it continues"
            placeholder="Choose a file"
            clearable
            value={earlier}
            onChange={setEarlier}
          />
          <TextInput
            label="Who must have signed"
            placeholder="SHA256:…"
            value={signer}
            onChange={({ target }) => setSigner(target.value)}
          />
        </div>
        <div>
          <Button size="xs" disabled={bundle === null} onClick={() => void check()}>
            Check
          </Button>
        </div>
        {error !== null && <Failed error={error} />}
        {checked !== null && <Held checked={checked} />}
      </Stack>
    </Panel>
  );
}

function Held({ checked: { claim, signer, isSignerKnown, events, faults } }: { readonly checked: Checked }) {
  if (faults.length > 0)
    return (
      <Outcome level="act" title="It proves nothing">
        <ul className="findings">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      </Outcome>
    );
  return (
    <Outcome
      level={isSignerKnown ? 'well' : 'watch'}
      title={isSignerKnown ? 'Nothing is amiss' : 'Nothing is amiss, but no expected signer was given'}
    >
      <Stack gap="xs">
        <Text size="sm">
          {claim.organization}, <Time at={Date.parse(claim.statedAt)} />: {plural(claim.size, 'event')}.
          Signed by <code>{signer}</code>
          {!isSignerKnown && ': compare it with the fingerprint that you expect.'}
        </Text>
        {events.length > 0 && (
          <ul className="findings">
            {events.map(({ index, stream, revision, type, at }) => (
              <li key={index}>
                Event {count(index)} of the log is {stream}@{revision}, {type}, <Time at={at} />
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Outcome>
  );
}
