import { useSyncExternalStore } from 'react';

const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'full',
});
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

/** A time in the reader's zone; on hover, the exact time and the server's. @param at milliseconds since the UNIX epoch */
export function Time({ at, relative = false }: { readonly at: number; readonly relative?: boolean }) {
  const date = new Date(at);
  const title = `${exact.format(date)}\n${date.toISOString()}`;
  return (
    <time dateTime={date.toISOString()} title={title} className="numbers">
      {relative ? <Ago at={at} /> : short.format(date)}
    </time>
  );
}

/** A time in the reader's zone, as {@link Time} shows it. @param at milliseconds since the UNIX epoch */
export function timeText(at: number): string {
  return short.format(at);
}

function Ago({ at }: { readonly at: number }) {
  return agoText(at, useNow());
}

/** “3 min ago”. */
function agoText(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const [size, unit] = unitOf(Math.abs(seconds));
  return ago.format(Math.trunc(seconds / size), unit);
}

function unitOf(seconds: number): readonly [size: number, unit: Intl.RelativeTimeFormatUnit] {
  if (seconds < 60) return [1, 'second'];
  if (seconds < 3600) return [60, 'minute'];
  if (seconds < 86_400) return [3600, 'hour'];
  return [86_400, 'day'];
}

let current = Date.now();

function subscribe(changed: () => void): () => void {
  const timer = setInterval(() => {
    current = Date.now();
    changed();
  }, 1000);
  return () => clearInterval(timer);
}

/** The present time, updated every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current);
}
