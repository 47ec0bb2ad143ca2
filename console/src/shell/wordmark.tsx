import { Link } from 'wouter';

/** The name, over a faint earlier writing of it. */
export function Wordmark() {
  return (
    <Link href="/" className="wordmark" aria-label="Palimpsest console, first page">
      <span data-under="Palimpsest">Palimpsest</span>
    </Link>
  );
}
