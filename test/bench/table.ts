import { reaches, type Measurement } from './measurement.js';

const HEADINGS = ['what', 'ours', 'beside', 'ratio', 'target', 'work and durability'];

/** The measurements as a Markdown table. */
export function tableOf(measurements: readonly Measurement[]): string {
  const rows = [HEADINGS, ...measurements.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [headings = [], ...bodies] = rows;
  return [line(headings), rule, ...bodies.map(line)].join('\n');
}

function cellsOf(measurement: Measurement): readonly string[] {
  const { what, ours, beside, ratio, work } = measurement;
  return [
    what,
    ours,
    beside === null ? '' : `${beside.what}: ${beside.result}`,
    beside === null ? '' : ratio.toFixed(2),
    verdictOn(measurement),
    work,
  ];
}

function verdictOn(measurement: Measurement): string {
  const { target } = measurement;
  if (target === null) return '';
  const bound = 'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
  return `${bound}: ${reaches(measurement) === true ? 'yes' : 'NO'}`;
}
