import type { ReactNode } from 'react';

export interface OutcomeProps {
  /** `well`: nothing need be done; `watch`: something is to be looked at; `act`: something is wrong. */
  readonly level: 'well' | 'watch' | 'act';
  /** In a sentence what it came to. */
  readonly title: string;
  readonly children?: ReactNode;
}

/** What something came to, told to who waits for it. */
export function Outcome({ level, title, children }: OutcomeProps) {
  return (
    <div className={`verdict ${level}`} role="status">
      <p className="verdict-sentence">{title}</p>
      {children}
    </div>
  );
}
