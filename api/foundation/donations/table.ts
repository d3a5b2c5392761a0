import type { Readable } from 'node:stream';
import type { Batch, Cell, TableColumn } from '../../../gateways/tables/columns.js';
import { writeTable } from '../../../gateways/tables/writeTable.js';
import { decimal } from '../../../models/finances/money.js';
import type { ExportedGift } from '../../../models/foundation/donations/exportDonations.js';

type ExportColumn = TableColumn & { cell: (gift: ExportedGift) => Cell };

const text = (title: string, cell: ExportColumn['cell']): ExportColumn => ({ title, type: 'text', cell });
const amount = (title: string, cents: (gift: ExportedGift) => number): ExportColumn => ({
  title,
  type: 'money',
  cell: (gift) => decimal(BigInt(cents(gift)), gift.currency),
});

const COLUMNS: readonly ExportColumn[] = [
  text('id', ({ id }) => id),
  { title: 'given_on', type: 'day', cell: ({ given_on }) => given_on },
  text('created_at', ({ created_at }) => created_at.toISOString()),
  text('status', ({ status }) => status),
  text('method', ({ method }) => method),
  { title: 'tax_year', type: 'number', cell: ({ tax_year }) => tax_year },
  amount('amount', ({ amount_cents }) => amount_cents),
  amount('fee', ({ fee_cents }) => fee_cents),
  amount('net', ({ net_cents }) => net_cents),
  amount('refunded', ({ refunded_cents }) => refunded_cents),
  text('currency', ({ currency }) => currency),
  text('first_name', ({ first_name }) => first_name),
  text('last_name', ({ last_name }) => last_name),
  text('email', ({ email }) => email),
  text('is_anonymous', ({ is_anonymous }) => (is_anonymous ? 'yes' : 'no')),
  text('campaign', ({ campaign }) => campaign),
  text('fund', ({ fund }) => fund),
  text('receipt', ({ receipt }) => receipt),
];

/** Returns gifts as CSV. No cell is a formula. An error of a page ends the stream. */
export const donationsTable = (pages: AsyncIterable<ExportedGift[]>): Readable =>
  writeTable('csv', COLUMNS, batchesOf(pages));

async function* batchesOf(pages: AsyncIterable<ExportedGift[]>): AsyncGenerator<Batch> {
  for await (const page of pages) yield page.map((gift) => COLUMNS.map(({ cell }) => cell(gift)));
}
