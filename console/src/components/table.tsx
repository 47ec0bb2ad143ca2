import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface PlainTableProps {
  readonly label: string;
  readonly headings: readonly { readonly title: string; readonly isNumber?: boolean }[];
  readonly children: ReactNode;
}

/** A table of a few rows. On a phone the table scrolls instead of the page. */
export function PlainTable({ label, headings, children }: PlainTableProps) {
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {headings.map(({ title, isNumber }) => (
              <Table.Th key={title} scope="col" className={isNumber === true ? 'number nowrap' : 'nowrap'}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}

/** A name and a value in a list of facts (`dl`). */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
