import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { ApiError } from '../../api/client.js';
import { Failed } from '../../components/states.js';

export interface SecretFormProps {
  readonly kind: 'password' | 'code';
  readonly label: string;
  readonly description?: string;
  /** The label of the button. */
  readonly action: string;
  readonly color?: string;
  readonly hasFocus?: boolean;
  /** The mutation that sends the secret. */
  readonly sending: Pick<UseMutationResult<unknown, ApiError, string>, 'mutate' | 'error' | 'isPending'>;
}

/** A form for one secret. A refused value stays in the field. */
export function SecretForm({ kind, action, color, hasFocus = false, sending, ...texts }: SecretFormProps) {
  const { mutate, error, isPending } = sending;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const secret = new FormData(event.currentTarget).get('secret');
    if (typeof secret === 'string') mutate(kind === 'code' ? secret.trim() : secret);
  };
  const common = { ...texts, name: 'secret', required: true, autoFocus: hasFocus, maw: '20rem' };
  return (
    <form method="post" onSubmit={submit}>
      <Stack gap="sm" align="stretch">
        {error !== null && <Failed error={error} />}
        {kind === 'password' ? (
          <PasswordInput
            {...common}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          />
        ) : (
          <TextInput {...common} autoComplete="one-time-code" maxLength={20} />
        )}
        <div>
          <Button type="submit" size="xs" loading={isPending} {...(color === undefined ? {} : { color })}>
            {action}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
