import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';

/** A column of a {@link VirtualTable}. */
export interface Column<Row> {
  readonly title: string;
  /** As CSS has it for the tracks of a grid: `8rem`, `minmax(12rem, 1fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand under each other. */
  readonly isNumber?: boolean;
}

export interface VirtualTableProps<Row> {
  /** What the table holds, for who does not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Called when the last rows come into sight: there may be more. */
  readonly onEnd?: () => void;
  /** Called for a row that is clicked, or chosen by Enter. */
  readonly onChoose?: (row: Row) => void;
  readonly isChosen?: (row: Row) => boolean;
  /** CSS height of the table; absent: as much of the window as is left. */
  readonly height?: string;
}

const ROW_HEIGHT = 40;

/** A table of any length: only the rows in sight are in the document. The arrow keys, Page Up and Down, Home and End scroll it. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, onEnd, height = 'calc(100dvh - 16rem)' } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- the console is not compiled by React's compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (index) => props.keyOf(rows[index]!),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0 && last >= rows.length - 1) onEnd?.();
  }, [last, rows.length, onEnd]);
  useSteady(scroller, rows, props.keyOf);
  const tracks = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  return (
    <div
      ref={scroller}
      className="virtual-table"
      style={{ height }}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className="virtual-head">
        <div role="row" aria-rowindex={1} className="virtual-row" style={tracks}>
          {columns.map(({ title, isNumber }) => (
            <div key={title} role="columnheader" className={isNumber === true ? 'number' : undefined}>
              {title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="virtual-body" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <TableRow key={key} table={props} place={{ index, start }} tracks={tracks} />
        ))}
      </div>
    </div>
  );
}

/** Whoever has scrolled down goes on seeing the same rows when others come before them. */
function useSteady<Row>(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  keyOf: VirtualTableProps<Row>['keyOf'],
): void {
  const first = useRef<string | number | null>(null);
  useLayoutEffect(() => {
    const before = first.current;
    first.current = rows[0] === undefined ? null : keyOf(rows[0]);
    const element = scroller.current;
    if (before === null || before === first.current || element === null) return;
    const came = rows.findIndex((row) => keyOf(row) === before);
    if (came > 0 && element.scrollTop > 0) element.scrollBy(0, came * ROW_HEIGHT);
  }, [scroller, rows, keyOf]);
}

interface TableRowProps<Row> {
  readonly table: VirtualTableProps<Row>;
  readonly place: { readonly index: number; readonly start: number };
  readonly tracks: { readonly gridTemplateColumns: string };
}

function TableRow<Row>({ table, place, tracks }: TableRowProps<Row>) {
  const { columns, rows, onChoose, isChosen } = table;
  const row = rows[place.index]!;
  const choose = onChoose === undefined ? undefined : () => onChoose(row);
  return (
    <div
      role="row"
      aria-rowindex={place.index + 2}
      aria-selected={isChosen?.(row)}
      className={choose === undefined ? 'virtual-row' : 'virtual-row choosable'}
      style={{ ...tracks, height: ROW_HEIGHT, transform: `translateY(${place.start}px)` }}
      tabIndex={choose === undefined ? undefined : 0}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) choose?.();
      }}
    >
      {columns.map(({ title, cell, isNumber }) => (
        <div key={title} role="cell" className={isNumber === true ? 'number' : undefined}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}
