import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ConfirmProps {
  /** The question, such as “Remove the versions that do not serve?”. */
  readonly title: string;
  /** What will be done, with names. */
  readonly children: ReactNode;
  /** The label of the button, such as “Remove 2 versions”. */
  readonly action: string;
  readonly isOpen: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks for confirmation of what cannot be undone. The focus is on the cancel button. */
export function Confirm({ title, children, action, isOpen, onConfirm, onCancel }: ConfirmProps) {
  return (
    // Locking the scroll bar would insert an inline style element, which the policy forbids.
    <Modal.Root opened={isOpen} onClose={onCancel} lockScroll={false} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Stack pt="md">
            {/* Inside of the body, because a header element would be a second banner of the page. */}
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
