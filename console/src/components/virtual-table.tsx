import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';

/** A column of a {@link VirtualTable}. */
export interface Column<Row> {
  readonly title: string;
  /** A CSS grid track: `8rem`, `minmax(12rem, 1fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether it is aligned as numbers. */
  readonly isNumber?: boolean;
  /** Whether it is the most important column: it may take two lines, and on a phone it is above the others. */
  readonly isMain?: boolean;
}

export interface VirtualTableProps<Row> {
  /** A description of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Called when the last rows become visible: there may be more. */
  readonly onEnd?: () => void;
  /** Called for a row that is clicked, or selected with Enter. */
  readonly onChoose?: (row: Row) => void;
  readonly isChosen?: (row: Row) => boolean;
  /** Maximum CSS height; absent: the rest of the window. */
  readonly height?: string;
}

/** In pixels, on a desktop and on a phone. */
const ROW_HEIGHT = 44;
const NARROW_ROW_HEIGHT = 84;

/** The same as in the style sheet. */
const NARROW = '(max-width: 47.99em)';

/** A table of any length: only visible rows are in the document. The arrow keys, Page Up and Down, Home and End scroll it. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, onEnd, height = 'calc(100dvh - 16rem)' } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  // eslint-disable-next-line react-hooks/incompatible-library -- the console is not compiled by React's compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => props.keyOf(rows[index]!),
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0 && last >= rows.length - 1) onEnd?.();
  }, [last, rows.length, onEnd]);
  useSteady(scroller, props, rowHeight);
  const tracks = { '--tracks': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <div
      ref={scroller}
      className="virtual-table"
      style={{ maxHeight: height }}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className="virtual-head">
        <div role="row" aria-rowindex={1} className="virtual-row" style={tracks}>
          {columns.map((column) => (
            <div key={column.title} role="columnheader" className={classOf(column)}>
              {column.title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="virtual-body" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <TableRow key={key} table={props} place={{ index, start, height: rowHeight }} tracks={tracks} />
        ))}
      </div>
    </div>
  );
}

/** After scrolling down, the visible rows stay in place when new ones are added above. */
function useSteady<Row>(
  scroller: RefObject<HTMLDivElement | null>,
  { rows, keyOf }: Pick<VirtualTableProps<Row>, 'rows' | 'keyOf'>,
  rowHeight: number,
): void {
  const first = useRef<string | number | null>(null);
  useLayoutEffect(() => {
    const before = first.current;
    first.current = rows[0] === undefined ? null : keyOf(rows[0]);
    const element = scroller.current;
    if (before === null || before === first.current || element === null) return;
    const came = rows.findIndex((row) => keyOf(row) === before);
    if (came > 0 && element.scrollTop > 0) element.scrollBy(0, came * rowHeight);
  }, [scroller, rows, keyOf, rowHeight]);
}

interface TableRowProps<Row> {
  readonly table: VirtualTableProps<Row>;
  readonly place: { readonly index: number; readonly start: number; readonly height: number };
  readonly tracks: CSSProperties;
}

function classOf({ isNumber, isMain }: Pick<Column<never>, 'isNumber' | 'isMain'>): string | undefined {
  if (isMain === true) return 'main-cell';
  return isNumber === true ? 'number' : undefined;
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
      style={{ ...tracks, height: place.height, transform: `translateY(${place.start}px)` }}
      tabIndex={choose === undefined ? undefined : 0}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) choose?.();
      }}
    >
      {columns.map((column) => (
        <div key={column.title} role="cell" className={classOf(column)}>
          {column.isMain === true ? <span>{column.cell(row)}</span> : column.cell(row)}
        </div>
      ))}
    </div>
  );
}
