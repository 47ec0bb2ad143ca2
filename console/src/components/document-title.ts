import { useEffect } from 'react';

/** Names what is shown in the title of the document, which browsers show and screen readers say. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Palimpsest console`;
  }, [title]);
}
