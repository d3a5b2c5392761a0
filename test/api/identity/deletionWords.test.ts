/** Tests that no text by or about a person remains after the erasure, and that records of what was done stay, by id. */
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { erasePerson } from '../../../models/identity/deletion/erasePerson.js';
import { notify } from '../../../models/notifications/notify.js';
import { notifications } from '../../../models/organizations/notifications.js';
import type { Reply } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
const { world } = stage;

async function done<Body>(answer: Promise<Reply<Body>>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
const inside = (kind: string, rest: string) => `/api/organizations/${world.organizationId}/${kind}-requests/${rest}/`;
const own = ({ membershipId }: Person, rest: string) => `/api/memberships/${membershipId}/${rest}/`;
const people = (role?: string, chapter = world.chapterId) => aMember(world.organizationId, chapter, role);

async function erase(userId: string): Promise<void> {
  const [row] = await asOwner<{ id: string }>(
    "INSERT INTO account_deletions (user_id, erases_at, status) VALUES ($1, now(), 'erasing') RETURNING id",
    [userId],
  );
  await inTenant(world.organizationId, () => eraseInOrganization(userId));
  await inPlatform(() => erasePerson(row?.id ?? ''));
}

/** Finds the tables of the whole database that contain a word, with the number of rows. */
async function tablesWith(word: string): Promise<string[]> {
  const tables = await asOwner<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
        AND relnamespace = 'public'::regnamespace ORDER BY relname`,
  );
  expect(tables.length).toBeGreaterThan(100);
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name} ' || count(*) AS found FROM ${name} t WHERE t::text ILIKE '%' || $1 || '%' HAVING count(*) > 0`,
  );
  return (await asOwner<{ found: string }>(each.join(' UNION ALL '), [word])).map(({ found }) => found);
}

/** Creates pending and decided requests for a status, scheduled changes, and notes of an admin. */
async function statusesOf(person: Person, word: string): Promise<void> {
  const [admin, officer, self] = [stage.admin, stage.officer, stage.as(person)];
  const ask = (status: string, more: object = {}) =>
    done(self.post(own(person, 'status-change-requests'), { status, reason: `Why: ${word}`, ...more }));
  const say = (id: string, decision: string, by = officer) =>
    done(by.post(inside('status-change', `${id}/review`), { decision, notes: `Because of ${word}` }));
  await say((await ask('associate')).id, 'reject');
  await say((await ask('associate')).id, 'approve');
  const [{ day }] = (await asOwner<{ day: string }>('SELECT (current_date + 9)::text AS day')) as [{ day: string }];
  await say((await ask('alumni', { effective_on: day })).id, 'approve');
  await done(admin.patch(own(person, '').slice(0, -1), { status: 'inactive', reason: word }));
  await done(admin.patch(own(person, '').slice(0, -1), { status: 'undergrad', reason: word }));
  await ask('associate');
}

test('an erasure removes what the person requested and wrote, and what others wrote about them', async () => {
  const WORD = 'zwetschgenknoedel';
  const person = await people();
  await asOwner('UPDATE users SET last_name = $2 WHERE id = $1', [person.userId, WORD]);
  const self = stage.as(person);
  await statusesOf(person, WORD);
  await done(
    self.patch(own(person, 'profile'), {
      preferred_name: WORD,
      permanent_address_line1: WORD,
      city: WORD,
      state: WORD,
    }),
  );
  const moved = await done(
    stage.officer.post(own(person, 'transfer-requests'), { to_chapter: world.otherChapterId, reason: WORD }),
  );
  for (const by of [stage.as(world.otherOfficer), stage.admin])
    await done(by.post(inside('transfer', `${moved.id}/review`), { decision: 'approve', notes: WORD }));
  const publicly = `/api/organizations/public/${world.slug}/account-requests/`;
  await asOwner('UPDATE organizations SET accepts_account_requests = true WHERE id = $1', [world.organizationId]);
  const typed = { email: person.email, first_name: WORD, last_name: WORD, phone_number: WORD, justification: WORD };
  await done(stage.nobody.post(publicly, typed));
  const [account] = await asOwner<{ id: string }>(
    `UPDATE account_requests SET status = 'pending', token_hash = NULL, token_expires_at = NULL, verified_at = now()
      WHERE email = $1 RETURNING id`,
    [person.email],
  );
  await done(stage.admin.post(inside('account', `${account?.id}/review`), { decision: 'reject', notes: WORD }));
  await asOwner(
    `INSERT INTO stored_files (organization_id, purpose, uploaded_by, status, name, media_type, size_bytes, sha256, kept_at)
     VALUES ($1, 'request_document', $2, 'kept', $3, 'image/png', 1, repeat('0', 64), now())`,
    [world.organizationId, person.userId, `${WORD}.png`],
  );
  expect((await tablesWith(WORD)).length).toBeGreaterThan(6);

  const history = () =>
    asOwner(
      `SELECT p.ordinal, p.status, p.valid_from, p.source, p.actor_user_id FROM membership_periods p
         JOIN memberships m ON m.id = p.membership_id WHERE m.user_id = $1 ORDER BY p.created_at, p.ordinal`,
      [person.userId],
    );
  const before = await history();
  await erase(person.userId);
  expect(await tablesWith(WORD)).toEqual([]);
  expect((await history()).slice(0, before.length)).toEqual(before);
  const decided = await asOwner(
    'SELECT status, reviewed_by FROM status_change_requests WHERE membership_id = $1 ORDER BY id',
    [person.membershipId],
  );
  expect(decided).toEqual([
    { status: 'rejected', reviewed_by: world.officer.userId },
    { status: 'approved', reviewed_by: world.officer.userId },
    { status: 'approved', reviewed_by: world.officer.userId },
    { status: 'withdrawn', reviewed_by: null },
  ]);
});

test('an erasure of an officer removes what the officer wrote about others and the notes of the answers', async () => {
  const WORD = 'marillenmarmelade';
  const [officer, member] = [await people('officer'), await people()];
  const moved = await done(
    stage.as(officer).post(own(member, 'transfer-requests'), { to_chapter: world.otherChapterId, reason: WORD }),
  );
  await done(
    stage.as(world.otherOfficer).post(inside('transfer', `${moved.id}/review`), { decision: 'reject', notes: WORD }),
  );
  const added = await done(
    stage.as(officer).post(`/api/chapters/${world.chapterId}/member-add-requests/`, {
      email: 'somebody@erased.example',
      first_name: 'Some',
      last_name: 'Body',
      justification: WORD,
    }),
  );
  await done(
    stage.as(world.regionalAdmin).post(inside('member-add', `${added.id}/review`), { decision: 'reject', notes: WORD }),
  );
  const [term] = await asOwner<{ id: string }>(
    'SELECT id FROM officer_terms WHERE membership_id = $1 AND ended_on IS NULL',
    [officer.membershipId],
  );
  const followed = await done(
    stage.as(officer).post(`/api/officer-terms/${term?.id}/hand-over/`, { successor: member.membershipId }),
  );
  await done(stage.admin.post(inside('hand-over', `${followed.id}/review`), { decision: 'reject', notes: WORD }));
  // The people who oversee the chapter are told the name of the office's holder.
  await asOwner('UPDATE users SET last_name = $2 WHERE id = $1', [officer.userId, WORD]);
  await asOwner("UPDATE officer_terms SET starts_on = '2020-01-01', ends_on = '2021-01-01' WHERE id = $1", [term?.id]);
  await inTenant(world.organizationId, () => notify(notifications.term_held_over, [term?.id ?? '']));
  expect(await asOwner("SELECT body FROM notifications WHERE notification_type = 'term_held_over'")).toContainEqual({
    body: expect.stringContaining(WORD),
  });
  await erase(officer.userId);
  expect(await tablesWith(WORD)).toEqual([]);
});
