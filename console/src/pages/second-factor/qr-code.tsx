import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** Width of the white margin in modules (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** A QR code, dark on white in every colour scheme, because many cameras need that. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** A square for each dark module. */
function drawn(text: string): { readonly size: number; readonly path: string } {
  const rows = encodeQR(text, 'raw', { border: QUIET });
  const squares = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: rows.length, path: squares.join('') };
}
