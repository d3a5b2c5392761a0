/** The status sets of TypeScript and of SQL are the same. */
import { NO_ACCESS_STATUSES } from '../../../models/identity/Actor.js';
import {
  ACTIVE_STANDING_STATUSES,
  LEADER_ROLES,
  MEMBERSHIP_ROLES,
  MEMBERSHIP_STATUSES,
} from '../../../models/organizations/vocabulary.js';
import { sequelize } from '../../../models/database/connection.js';
import { asOwner, closeOwner } from '../../support/owner.js';

afterAll(() => Promise.all([closeOwner(), sequelize.close()]));

test.each(MEMBERSHIP_STATUSES)('SQL and TypeScript agree on what the status %s gives', async (status) => {
  const [sql] = await asOwner('SELECT app.gives_access($1) AS access, app.in_active_standing($1) AS standing', [
    status,
  ]);
  expect(sql).toEqual({ access: !NO_ACCESS_STATUSES.has(status), standing: ACTIVE_STANDING_STATUSES.has(status) });
});

test('SQL and TypeScript agree on which roles lead a chapter', async () => {
  const sql = await asOwner<{ role: string }>(
    `SELECT role FROM unnest($1::text[]) role WHERE app.leads_chapter(role, 'undergrad')`,
    [[...MEMBERSHIP_ROLES]],
  );
  expect(new Set(sql.map(({ role }) => role))).toEqual(LEADER_ROLES);
});
