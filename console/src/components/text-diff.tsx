/** A stretch of a text that stayed, came or went. */
export interface TextChange {
  readonly kind: 'kept' | 'added' | 'removed';
  readonly text: string;
}

/** What an edit took out and put in. */
export function TextDiff({ changes }: { readonly changes: readonly TextChange[] }) {
  return (
    <p className="diff">
      {changes.map(({ kind, text }, index) => {
        if (kind === 'added') return <ins key={index}>{text}</ins>;
        return kind === 'removed' ? <del key={index}>{text}</del> : <span key={index}>{text}</span>;
      })}
    </p>
  );
}
