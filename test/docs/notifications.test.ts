/**
 * The page of notifications lists all types. `WRITE_DOCS=1 npm test -- test/docs/notifications` writes them.
 * @jest-environment node
 */
import { readFileSync, writeFileSync } from 'node:fs';
import '../../models/wireAreas.js';
import '../../models/finances/notifications.js';
import '../../models/organizations/notifications.js';
import '../../models/platform/notifications.js';
import { CATEGORY_OF, CRITICAL_EVENTS } from '../../models/notifications/eventTypes.js';
import { allTypes, type NotificationType } from '../../models/notifications/types.js';

const PAGE = 'docs/api/who-hears-what.md';

const rowOf = ({ name, event, who, title, action, needsAccess, mailedAsAccountNotice }: NotificationType) =>
  [
    `\`${name}\``,
    `\`${event}\``,
    CATEGORY_OF[event] + (CRITICAL_EVENTS.has(event) ? ', critical' : ''),
    `${who}${needsAccess ? '' : ', with access or without'}`,
    title.replaceAll(/\{(\w+)\}/g, '…'),
    action ?? '',
    mailedAsAccountNotice ? 'account notice' : '',
  ].join(' | ');
const rows = allTypes()
  .toSorted((one, other) => (one.event + one.name < other.event + other.name ? -1 : 1))
  .map(rowOf);
const table = [
  'Type | Event | Category | Who hears it | Title | Asks them to | Mailed as',
  '--- | --- | --- | --- | --- | --- | ---',
  ...rows,
]
  .map((row) => `| ${row} |`)
  .join('\n');

test('the docs list every type of notification as it is declared', () => {
  const page = readFileSync(PAGE, 'utf8');
  const written = page.replace(/(<!-- types -->\n)[^]*?(\n?<!-- \/types -->)/, `$1${table}\n<!-- /types -->`);
  if (process.env['WRITE_DOCS']) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
});
