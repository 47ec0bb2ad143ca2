import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../components/numbers.js';
import { Outcome } from '../../components/outcome.js';
import { Loaded, PageHead, Panel } from '../../components/states.js';
import { useDisable, useFactor, type Factor } from './factor.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecretForm } from './secret-form.js';
import { SetUp } from './set-up.js';

/** With so few remaining recovery codes, new ones are recommended. */
const FEW = 3;

/** Sets up a second factor for the account's password, and disables it. */
export function SecondFactor() {
  const query = useFactor();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <>
      <PageHead title="Second factor">
        Signing in with your password then also requires a code from your authenticator app. API keys work as
        before. If you sign in with another provider, that provider asks for its own second factor.
      </PageHead>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />
      ) : (
        <Loaded query={query} of="your second factor">
          {(factor) => (factor.is_enabled ? <Enabled factor={factor} /> : <SetUp onEnabled={setCodes} />)}
        </Loaded>
      )}
    </>
  );
}

function Enabled({ factor: { recovery_codes_left: left } }: { readonly factor: Factor }) {
  const disable = useDisable();
  return (
    <div className="stack">
      <Outcome level={left > FEW ? 'well' : 'watch'} title="Your second factor is enabled">
        <Text size="sm">
          {plural(left, 'recovery code is', 'recovery codes are')} left. For new ones, disable it and set it
          up again.
        </Text>
      </Outcome>
      <Panel title="Disable it">
        <Stack gap="sm">
          <Text size="sm">
            Afterwards your password alone is enough to sign in. If you have lost both the app and the
            recovery codes, ask an owner.
          </Text>
          <SecretForm
            kind="code"
            label="Code"
            description="Of your authenticator app, or a recovery code"
            action="Disable it"
            color="red.9"
            sending={disable}
          />
        </Stack>
      </Panel>
    </div>
  );
}
