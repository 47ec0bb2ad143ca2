import { Link } from 'wouter';

/** The name, in front of a faint copy of it. */
export function Wordmark() {
  return (
    <Link href="/" className="wordmark" aria-label="Palimpsest console, first page">
      <span data-under="Palimpsest">Palimpsest</span>
    </Link>
  );
}
