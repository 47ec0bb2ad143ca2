import { Button } from '@mantine/core';

export interface ReadAgainProps {
  readonly isReading: boolean;
  readonly onRead: () => void;
  /** The label; absent: “Read again”. */
  readonly children?: string;
}

/** The button of what is read once, because the server records each look, although it says something about the present. */
export function ReadAgain({ isReading, onRead, children = 'Read again' }: ReadAgainProps) {
  return (
    <Button size="xs" variant="default" loading={isReading} onClick={onRead}>
      {children}
    </Button>
  );
}
