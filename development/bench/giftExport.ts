/** Measures the export of gifts, compared with a cursor loop that writes the same columns. */
import type { Client } from 'pg';
import { type Check, check, figure } from './audience.js';
import { chooseFoundationPeople } from './giving.js';
import { measureWork } from './memory.js';
import { type Person, signIn } from './world.js';

export const GIFT_EXPORT = 'export of gifts';

interface Setup {
  owner: Client;
  api: string;
  apiPid: number;
  /** Number of exports; as many cursor loops run between them. */
  exports: number;
}

const FETCHED_ROWS = 1_000;

export async function measureGiftExport({ owner, api, apiPid, exports }: Setup): Promise<Check[]> {
  const [admin] = await chooseFoundationPeople(owner);
  if (!admin) throw new Error('No foundation has an admin who can sign in.');
  const headers = await signIn(api, admin.email);
  // Warms both up, so that code and pages are in memory.
  const gifts = await exportGifts(api, headers);
  await writeByCursor(owner, admin);
  const before = await measureWork(apiPid, () => Promise.resolve());
  let [exportSeconds, loopSeconds, peakMegabytes] = [0, 0, 0];
  for (let n = 0; n < exports; n += 1) {
    const exported = await measureWork(apiPid, () => exportGifts(api, headers));
    exportSeconds += exported.seconds;
    peakMegabytes = Math.max(peakMegabytes, exported.megabytes);
    const begun = performance.now();
    const written = await writeByCursor(owner, admin);
    loopSeconds += (performance.now() - begun) / 1_000;
    if (written !== exported.answer) throw new Error(`${exported.answer} of ${written} gifts were exported.`);
  }
  return [
    check(`time of an export of ${gifts} gifts, times that of a cursor loop`, exportSeconds / loopSeconds, 2, ''),
    check('memory that an export adds to the API', peakMegabytes - before.megabytes, 50, 'MB'),
    figure('gifts exported a second', (gifts * exports) / exportSeconds, ''),
  ];
}

/** @returns the number of exported gifts */
async function exportGifts(api: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${api}/api/foundation/donations/export/`, { headers });
  if (!response.ok || !response.body) throw new Error(`The export answered ${response.status}.`);
  let lines = 0;
  for await (const chunk of response.body)
    lines +=
      Buffer.from(chunk as Uint8Array)
        .toString('latin1')
        .split('\n').length - 1;
  return lines - 1;
}

/** Reads the gifts by a cursor and writes them as CSV. @returns the number of gifts */
async function writeByCursor(owner: Client, { organizationId }: Person): Promise<number> {
  let gifts = 0;
  await owner.query('BEGIN READ ONLY');
  await owner.query(`DECLARE gifts CURSOR FOR
    SELECT d.id, (d.charged_at AT TIME ZONE f.timezone)::date::text AS given_on, d.created_at, d.status, d.method, d.tax_year,
           d.amount_cents, d.fee_cents, d.net_cents, d.refunded_cents, d.currency, d.first_name, d.last_name, o.email,
           d.is_anonymous, c.title AS campaign, u.name AS fund, r.number AS receipt
      FROM donations d
      JOIN foundation_configs f ON f.organization_id = d.organization_id
      JOIN donors o ON o.id = d.donor_id
      JOIN funds u ON u.id = d.fund_id
      LEFT JOIN campaigns c ON c.id = d.campaign_id
      LEFT JOIN tax_receipts r ON r.organization_id = d.organization_id AND r.donation_id = d.id AND r.status = 'valid'
     WHERE d.organization_id = '${organizationId}' ORDER BY d.id DESC`);
  for (;;) {
    const { rows } = await owner.query<GiftRow>(`FETCH ${FETCHED_ROWS} FROM gifts`);
    gifts += Buffer.from(rows.map(lineOf).join('')).length > 0 ? rows.length : 0;
    if (rows.length < FETCHED_ROWS) break;
  }
  await owner.query('COMMIT');
  return gifts;
}

type Cell = string | number | boolean | Date | null;
type GiftRow = Record<string, Cell>;

const lineOf = (row: GiftRow): string => `${Object.values(row).map(cellOf).join(',')}\r\n`;

function cellOf(value: Cell): string {
  const text = value instanceof Date ? value.toISOString() : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
