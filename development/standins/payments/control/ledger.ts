/** The money movements as JSON or CSV. */
import type { LedgerEntry } from '../state/types.js';
import { jsonAnswer, type Answer } from '../../kit/exchange.js';

const COLUMNS = [
  'kind',
  'payment_intent',
  'charge',
  'remittance_id',
  'donation_id',
  'idempotency_key',
  'amount_cents',
  'at',
] as const satisfies readonly (keyof LedgerEntry)[];

function csvCell(value: string | number | null): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the money movements, oldest first. The query can limit them to one remittance or one gift. */
export function ledgerAnswer(entries: LedgerEntry[], query: URLSearchParams): Answer {
  const format = query.get('format') ?? 'json';
  const chosen = entries.filter((entry) =>
    (['remittance_id', 'donation_id'] as const).every((name) => !query.has(name) || entry[name] === query.get(name)),
  );
  if (format === 'json') return jsonAnswer(200, chosen);
  if (format !== 'csv') return jsonAnswer(400, { error: `unknown format '${format}'; known formats: json, csv` });
  const lines = chosen.map((entry) => COLUMNS.map((column) => csvCell(entry[column])).join(','));
  const body = `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
  return { status: 200, body, headers: { 'Content-Type': 'text/csv; charset=utf-8' } };
}
