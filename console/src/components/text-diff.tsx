/** A part of a text that was kept, added or removed. */
export interface TextChange {
  readonly kind: 'kept' | 'added' | 'removed';
  readonly text: string;
}

/** Shows what an edit added and removed. */
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
