import { Button, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Confirm, type ConfirmProps } from './confirm.js';

interface ConfirmButtonProps
  extends
    Omit<ButtonProps, 'children' | 'title'>,
    Pick<ConfirmProps, 'title' | 'action' | 'children' | 'onConfirm'> {
  readonly label: ReactNode;
  /** False: it acts at once. */
  readonly asks?: boolean;
}

/** A button that asks for confirmation before it acts. */
export function ConfirmButton({
  label,
  asks = true,
  title,
  action,
  children,
  onConfirm,
  ...button
}: ConfirmButtonProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="default" {...button} onClick={asks ? () => setAsked(true) : onConfirm}>
        {label}
      </Button>
      <Confirm
        title={title}
        action={action}
        isOpen={isAsked}
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          onConfirm();
        }}
      >
        {children}
      </Confirm>
    </>
  );
}
