/** The audit logs as CSV. No cell is a formula. An error of a page ends the stream. */
import type { Readable } from 'node:stream';
import type { Batch } from '../../../gateways/tables/columns.js';
import { writeTable } from '../../../gateways/tables/writeTable.js';
import type { AuditLogRow } from '../../../models/organizations/readAuditLog.js';
import { withUniformTimestamps } from '../../http/timestamps.js';

type Column<Row> = [title: string, cell: (row: Row) => string | null];
type Entry = Omit<AuditLogRow, 'ip_address' | 'erased'>;
/** An entry of the platform's log, which has no values about people. */
type PlatformEntry = Entry & { organization: string | null };

/** Changed fields as JSON, with times as in every answer of the API. */
const jsonOf = (fields: Record<string, unknown> | null): string | null =>
  fields && withUniformTimestamps(JSON.stringify(fields));

const BEGINNING: readonly Column<Entry>[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => new Date(created_at).toISOString()],
  ['action', ({ action }) => action],
  ['actor', ({ actor }) => actor && actor.id],
  ['actor_name', ({ actor }) => actor && `${actor.first_name} ${actor.last_name}`],
  ['actor_email', ({ actor }) => actor && actor.email],
];
const SUBJECT: readonly Column<Entry>[] = [
  ['subject_type', ({ subject_type }) => subject_type],
  ['subject_id', ({ subject_id }) => subject_id],
  ['request_id', ({ request_id }) => request_id],
];
const VALUES: readonly Column<Entry>[] = [
  ['before', ({ before }) => jsonOf(before)],
  ['after', ({ after }) => jsonOf(after)],
];

const COLUMNS: readonly Column<AuditLogRow>[] = [
  ...BEGINNING,
  ...SUBJECT,
  ['ip_address', ({ ip_address }) => ip_address],
  ...VALUES,
  ['erased', ({ erased }) => (erased ? 'yes' : 'no')],
];
const PLATFORM_COLUMNS: readonly Column<PlatformEntry>[] = [
  ...BEGINNING,
  ['organization', ({ organization }) => organization],
  ...SUBJECT,
  ...VALUES,
];

/** Returns entries of an organization's log as CSV. */
export const auditLogTable = (pages: AsyncIterable<AuditLogRow[]>): Readable => tableOf(COLUMNS, pages);

/** Returns entries of the platform's log as CSV. */
export const platformAuditLogTable = (pages: AsyncIterable<PlatformEntry[]>): Readable =>
  tableOf(PLATFORM_COLUMNS, pages);

const tableOf = <Row>(columns: readonly Column<Row>[], pages: AsyncIterable<Row[]>): Readable =>
  writeTable(
    'csv',
    columns.map(([title]) => ({ title, type: 'text' })),
    batchesOf(columns, pages),
  );

async function* batchesOf<Row>(columns: readonly Column<Row>[], pages: AsyncIterable<Row[]>): AsyncGenerator<Batch> {
  for await (const page of pages) yield page.map((row) => columns.map(([, cell]) => cell(row)));
}
