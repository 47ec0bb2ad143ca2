import 'uplot/dist/uPlot.min.css';
import { useMantineColorScheme, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

/** A line of a chart. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

export interface SeriesProps {
  /** A description of the chart for screen readers. */
  readonly label: string;
  /** Milliseconds since the UNIX epoch. */
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  /** Formats a value with its unit, for the axis and the legend. */
  readonly format: (value: number) => string;
  /** The axis extends at least to this value, so that small values do not look large. */
  readonly reach: number;
  /** Whether values are whole numbers. */
  readonly isWhole?: boolean;
}

const HEIGHT = 180;

/** Distances of the grid lines in a chart of whole numbers. */
const wholeSteps = [1, 2, 5]
  .flatMap((step) => [step, step * 10, step * 100, step * 1_000, step * 10_000])
  .sort((one, other) => one - other);
const colours = {
  light: ['#405791', '#a8562a', '#2b7a4b', '#8a3f86', '#8a6d00', '#00748a'],
  dark: ['#9db2ee', '#e6a07c', '#7fd0a0', '#d69bd2', '#dcc35a', '#6fc7da'],
} as const;

/** A chart of values over time with labelled axes, updated in place. */
export function Series({ label, at, lines, format, reach, isWhole = false }: SeriesProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const names = lines.map((line) => line.label).join('\n');

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const drawn = { names: names.split('\n'), format, reach, isWhole, scheme };
    const made = new uPlot(optionsOf(drawn), [[]], element);
    chart.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [names, format, reach, isWhole, scheme]);

  useEffect(() => {
    const drawn = chart.current;
    if (drawn === null) return;
    drawn.setData([at.map((moment) => moment / 1000), ...lines.map(({ values }) => [...values])]);
    tellNewest(drawn);
  }, [at, lines, names, format, reach, isWhole, scheme]);

  return (
    <div ref={place} className="series" role="img" aria-label={`${label}: ${summaryOf(lines, format)}`} />
  );
}

/** The last value of each line. */
function summaryOf(lines: readonly Line[], format: (value: number) => string): string {
  return lines.map(({ label, values }) => `${label} ${formatted(values.at(-1), format)}`).join(', ');
}

/** Shows the newest values in the legend while nobody points at the chart. */
function tellNewest(chart: uPlot): void {
  const { idx } = chart.cursor;
  if (idx === null || idx === undefined) chart.setLegend({ idx: chart.data[0].length - 1 }, false);
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const exactClock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** @param seconds since the UNIX epoch */
function clockOf(seconds: number, isExact: boolean): string {
  return (isExact ? exactClock : clock).format(seconds * 1000);
}

const MINUTE = 60;

/** @param round how often all colours were used before */
function dashes(round: number): number[] {
  return [2 + 4 * round, 4];
}

interface Drawn extends Pick<SeriesProps, 'format' | 'reach'> {
  readonly names: readonly string[];
  readonly isWhole: boolean;
  readonly scheme: 'light' | 'dark';
}

function optionsOf({ names, format, reach, isWhole, scheme }: Drawn): uPlot.Options {
  const [ink, grid] = scheme === 'dark' ? ['#a6abb3', '#3b3f45'] : ['#596069', '#e6e8ec'];
  const axis = {
    stroke: ink,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  };
  return {
    width: 300,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    hooks: { setCursor: [tellNewest] },
    scales: { y: { range: (_chart, _low, high) => [0, Math.max(high * 1.15, reach)] } },
    axes: [
      {
        ...axis,
        space: 90,
        values: (_chart, values, ...[, , step]) => values.map((value) => clockOf(value, step < MINUTE)),
      },
      {
        ...axis,
        size: 64,
        space: 36,
        ...(isWhole && { incrs: wholeSteps }),
        values: (_chart, values) => values.map((value) => format(value)),
      },
    ],
    series: [
      { label: 'at', value: (_chart, value: number | null) => (value === null ? '' : clockOf(value, true)) },
      ...names.map((label, index) => ({
        label,
        stroke: colours[scheme][index % colours[scheme].length],
        // Lines of the same colour differ in their dashes.
        ...(index >= colours[scheme].length && { dash: dashes(Math.floor(index / colours[scheme].length)) }),
        width: 1.6,
        points: { show: false },
        value: (_chart: uPlot, value: number | null) => formatted(value, format),
      })),
    ],
  };
}

function formatted(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? 'not known' : format(value);
}
