import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ConfirmProps {
  /** What is asked, as “Remove the versions that do not serve?”. */
  readonly title: string;
  /** What it will do, by name. */
  readonly children: ReactNode;
  /** What the button does, as “Remove 2 versions”. */
  readonly action: string;
  readonly isOpen: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before what cannot be undone. The focus is on the way back. */
export function Confirm({ title, children, action, isOpen, onConfirm, onCancel }: ConfirmProps) {
  return (
    // Locking the scroll bar would write a style element.
    <Modal.Root opened={isOpen} onClose={onCancel} lockScroll={false} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Stack pt="md">
            {/* In the body, because a head of its own would be a second banner of the page. */}
            <Modal.Title>{title}</Modal.Title>
            <Text component="div" size="sm">
              {children}
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={onCancel} data-autofocus>
                Cancel
              </Button>
              <Button color="red.9" onClick={onConfirm}>
                {action}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
