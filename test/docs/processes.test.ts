/**
 * The page of processes lists all kinds. `WRITE_DOCS=1 npm test -- test/docs/processes` writes them.
 * @jest-environment node
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isScheduled, PROCESS_KINDS } from '../../workflows/contracts/index.js';

const PAGE = 'docs/api/processes.md';

const CANCELLED = { never: 'never', any_time: 'at any time', before_money: 'until money may move' } as const;

const SEEN_BY = {
  organization: '',
  foundation: ' (seen by foundation admins)',
  platform: ' (seen by platform admins)',
} as const;

const rows = PROCESS_KINDS.map((facts) => {
  const { kind, summary, seenBy, expectedMinutes, ends, cancel } = facts;
  const cancelled = `${CANCELLED[cancel.when]}: ${cancel.says}`;
  return [
    `\`${kind}\``,
    `${summary}${SEEN_BY[seenBy]}`,
    expectedMinutes === null ? 'never' : expectedMinutes < 120 ? `${expectedMinutes} min` : `${expectedMinutes / 60} h`,
    Object.keys(ends)
      .map((end) => `\`${end}\``)
      .join(', '),
    isScheduled(facts) ? 'never: a schedule runs it, and again when it is due.' : cancelled,
  ].join(' | ');
});
const table = ['Kind | What it does | Stuck after | Ends as | Cancelled', '--- | --- | --- | --- | ---', ...rows]
  .map((row) => `| ${row} |`)
  .join('\n');

test('the docs list every kind of process as its contract describes it', () => {
  const page = readFileSync(PAGE, 'utf8');
  const written = page.replace(/(<!-- kinds -->\n)[^]*?(\n?<!-- \/kinds -->)/, `$1${table}\n<!-- /kinds -->`);
  if (process.env['WRITE_DOCS']) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
});
