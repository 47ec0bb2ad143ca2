import type { ReactNode } from 'react';

export interface OutcomeProps {
  /** `well`: nothing to do; `watch`: something to look at; `act`: something is wrong. */
  readonly level: 'well' | 'watch' | 'act';
  /** The result in one sentence. */
  readonly title: string;
  readonly children?: ReactNode;
}

/** Shows a result, and announces it to screen readers. */
export function Outcome({ level, title, children }: OutcomeProps) {
  return (
    <div className={`verdict ${level}`} role="status">
      <p className="verdict-sentence">{title}</p>
      {children}
    </div>
  );
}
