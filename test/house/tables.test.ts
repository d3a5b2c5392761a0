/**
 * An area changes only its own tables: those in its `guards.ts` (docs/developing/database.md). Changes of another area's tables go
 * through that area's operations.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import '../../models/wireAreas.js';
import { AREAS } from '../../models/database/schema/areas.js';
import { allModels } from '../../models/database/model/defineModel.js';
import { identityErasure } from '../../models/identity/deletion/identityErasure.js';
import { listErasures } from '../../models/identity/deletion/erasePerson.js';
import { financesErasure } from '../../models/finances/erasure.js';
import { forumsErasure } from '../../models/forums/erasure.js';
import { foundationErasure } from '../../models/foundation/erasure.js';
import { intakeErasure } from '../../models/intake/erasure.js';
import { notificationsErasure } from '../../models/notifications/erasure.js';
import { organizationsErasure } from '../../models/organizations/erasure.js';
import { platformErasure } from '../../models/platform/erasure.js';
import { processesErasure } from '../../models/processes/erasure.js';
import { socialnetErasure } from '../../models/socialnet/erasure.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { areaOf, strangeWrites, writesIn } from './writes.js';

const ROOT = path.resolve(__dirname, '../..');
/** The delivered code; seeds and tests may write any table. */
const ROOMS = ['api', 'models', 'workflows', 'activities', 'services', 'gateways', 'bin'];

const everyFile = ROOMS.flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[.](ts|sql)$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
);
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Files that write a table by a variable name, each with what limits it to its area. */
const BY_NAME: Record<string, string> = {
  'models/database/model/change.ts': 'The table of a model, which only its own area imports: `npm run imports:check`.',
  'models/identity/deletion/erasePerson.ts':
    'Tables that areas name as their own in their erasure: the test after this.',
  'models/organizations/invitations/replacePlaceholder.ts':
    'One of the two tables of offices: both callers stand above it, and say which.',
  'bin/rotation/rotateSecrets.ts':
    'An operator seals the secrets of all areas anew, and changes nothing of what they say.',
};

/** Its way back disables the accounts for gifts, because the release before knows one active account. */
const REVERTS =
  'models/database/schema/foundation/0009-foundation.ts writes org_payment_processors, which is for finances to write';

afterAll(closeOwner);

test('no file writes a table of another area, nor one whose name it does not contain', () => {
  const strange = everyFile.flatMap((file) => strangeWrites(file, textOf(file)));
  const named = Object.keys(BY_NAME).map((file) => `${file} writes a table that it does not name`);
  expect(strange.sort()).toEqual([...named, REVERTS].sort());
});

test('every table belongs to an area', async () => {
  const there = await asOwner<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
  );
  expect(there.filter(({ name }) => areaOf(name) === undefined)).toEqual([]);
});

test('every model is in the area of its table', () => {
  const models = everyFile.flatMap((file) => {
    const table = /defineModel\(\{\s*table: '(\w+)'/.exec(textOf(file))?.[1];
    return table === undefined ? [] : [{ table, area: file.split('/')[1] }];
  });
  expect(models.filter(({ table, area }) => areaOf(table) !== area)).toEqual([]);
  expect(models.map(({ table }) => table)).toEqual(
    expect.arrayContaining(allModels().map((kind) => kind.definition.table)),
  );
});

test("the erasure of a person deletes only the area's own rows", () => {
  const erasures = {
    identity: identityErasure,
    socialnet: socialnetErasure,
    organizations: organizationsErasure,
    forums: forumsErasure,
    finances: financesErasure,
    foundation: foundationErasure,
    intake: intakeErasure,
    platform: platformErasure,
    processes: processesErasure,
    notifications: notificationsErasure,
  };
  expect(listErasures()).toEqual(Object.values(erasures));
  const strange = Object.entries(erasures).flatMap(
    ([area, { deletedTables: deleted = {}, erasedColumns: emptied = {} }]) =>
      [...Object.keys(deleted), ...Object.keys(emptied)].filter((table) => areaOf(table) !== area),
  );
  expect(strange).toEqual([]);
});

/** Possible mistakes, and how they are reported. */
const MISTAKES: [file: string, text: string, tables: string[]][] = [
  ['models/organizations/a.ts', "rows('UPDATE users SET email = $1')", ['users']],
  ['models/organizations/a.ts', '`WITH gone AS (DELETE\n  FROM ONLY public.users u WHERE …)`', ['users']],
  ['models/platform/a.ts', '\'insert into "organizations" (id) VALUES ($1)\'', ['organizations']],
  ['api/finances/a/routes.ts', "'MERGE INTO memberships m USING …'", ['memberships']],
  ['activities/identity/a.ts', "'TRUNCATE TABLE regions'", ['regions']],
  ['models/database/schema/finances/definitions/a.sql', 'BEGIN INSERT INTO outbox (id) SELECT 1; END', ['outbox']],
  ['bin/a.ts', "'UPDATE users SET …'", ['users']],
  ['models/identity/a.ts', '`UPDATE ${table} SET …`', ['${']],
];
test.each(MISTAKES)('in %s the write %s is found', (file, text, tables) => {
  expect(writesIn(text)).toEqual(tables);
  expect(strangeWrites(file, text)).toHaveLength(1);
});

test.each([
  ['models/identity/a.ts', "'SELECT FROM users FOR UPDATE OF u SKIP LOCKED'"],
  ['models/finances/a.ts', '// UPDATE users\n/** DELETE FROM users */'],
  ['models/database/schema/finances/definitions/a.sql', 'CREATE TRIGGER a AFTER UPDATE OF status ON memberships'],
  ['models/identity/a.ts', "'INSERT INTO users … ON CONFLICT DO UPDATE SET users = 1'"],
  ['models/database/schema/organizations/0010-a.ts', 'INSERT INTO audit_log (organization_id) SELECT 1'],
])('in %s the text %s is no foreign write', (file, text) => {
  expect(strangeWrites(file, text)).toEqual([]);
});

test('the areas of the database are those of the code', () => {
  const folders = new Set(everyFile.flatMap((file) => /^models\/([^/]+)\//.exec(file)?.[1] ?? []));
  expect(new Set(Object.keys(AREAS))).toEqual(folders);
});
