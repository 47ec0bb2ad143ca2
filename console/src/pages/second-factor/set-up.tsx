import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../components/states.js';
import { useBegin, useConfirm, type Begun } from './factor.js';
import { QrCode } from './qr-code.js';
import { Copy } from './recovery-codes.js';
import { SecretForm } from './secret-form.js';

export interface SetUpProps {
  /** Called when it is enabled, with the recovery codes. */
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
}

/** Leads through password, secret and confirmation code. */
export function SetUp({ onEnabled }: SetUpProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const begin = useBegin(setBegun);
  return (
    <Panel title="Set it up">
      {begun === null ? (
        <Stack gap="sm">
          <Text size="sm">
            You need an authenticator app, on your phone or in your password manager. Enter your password
            first: an API key alone must not be enough to change the second factor.
          </Text>
          <SecretForm kind="password" label="Password" action="Continue" sending={begin} />
        </Stack>
      ) : (
        <Confirm begun={begun} onEnabled={onEnabled} />
      )}
    </Panel>
  );
}

function Confirm({ begun: { secret, uri }, onEnabled }: SetUpProps & { readonly begun: Begun }) {
  const confirm = useConfirm(onEnabled);
  return (
    <Stack gap="md">
      <Text size="sm">
        Scan this code with your app, or type the secret into it (time-based one-time passwords of six
        digits). Then enter the one-time password that the app shows.
      </Text>
      <div className="secret">
        <QrCode text={uri} label="The secret as a QR code" />
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            The secret
            <br />
            <code>{inFours(secret)}</code>
          </Text>
          <Copy text={secret} what="the secret" />
          <SecretForm kind="code" label="Code of your app" action="Enable" hasFocus sending={confirm} />
        </Stack>
      </div>
    </Stack>
  );
}

/** In groups of four for reading; apps ignore the blanks. */
function inFours(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
