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
  /** What the chart shows, for who does not see it. */
  readonly label: string;
  /** Milliseconds since the UNIX epoch. */
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  /** How a value is written at the axis and in the legend, with its unit. */
  readonly format: (value: number) => string;
}

const HEIGHT = 180;
const colours = {
  light: ['#405791', '#a8562a', '#2b7a4b', '#8a3f86', '#8a6d00', '#00748a'],
  dark: ['#9db2ee', '#e6a07c', '#7fd0a0', '#d69bd2', '#dcc35a', '#6fc7da'],
} as const;

/** Values over time with labelled axes; what changes is drawn over what was there. */
export function Series({ label, at, lines, format }: SeriesProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const names = lines.map((line) => line.label).join('\n');

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot(optionsOf({ names: names.split('\n'), format, scheme }), [[]], element);
    chart.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [names, format, scheme]);

  useEffect(() => {
    chart.current?.setData([at.map((moment) => moment / 1000), ...lines.map(({ values }) => [...values])]);
  }, [at, lines, names, format, scheme]);

  return (
    <div ref={place} className="series" role="img" aria-label={`${label}: ${summaryOf(lines, format)}`} />
  );
}

/** The last value of each line. */
function summaryOf(lines: readonly Line[], format: (value: number) => string): string {
  return lines.map(({ label, values }) => `${label} ${formatted(values.at(-1), format)}`).join(', ');
}

interface Drawn {
  readonly names: readonly string[];
  readonly format: (value: number) => string;
  readonly scheme: 'light' | 'dark';
}

function optionsOf({ names, format, scheme }: Drawn): uPlot.Options {
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
    legend: { show: names.length > 1 },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_chart, _low, high) => [0, Math.max(high * 1.15, 0.001)] } },
    axes: [
      { ...axis, space: 70 },
      { ...axis, size: 64, space: 36, values: (_chart, values) => values.map((value) => format(value)) },
    ],
    series: [
      {},
      ...names.map((label, index) => ({
        label,
        stroke: colours[scheme][index % colours[scheme].length],
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
