/** Tests the counts of pending approvals, per approver. */
import { readFileSync } from 'node:fs';
import { APPROVAL_KINDS } from '../../../models/organizations/readApprovals.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const inOrganization = (id = stage.world.organizationId) => `/api/organizations/${id}/approvals/`;
const inChapter = (id = stage.world.chapterId) => `/api/chapters/${id}/approvals/`;
const toDecide = async (person: Person) =>
  (await stage.as(person).get('/api/notifications/alert-summary/')).body.approvals as number;

let counter = 0;
async function ask(officer: Person): Promise<string> {
  const { body } = await stage.as(officer).post(`/api/chapters/${officer.chapterId}/member-add-requests/`, {
    email: `waiting${(counter += 1)}@approvals.example`,
    first_name: 'Waiting',
    last_name: 'Person',
    justification: 'Crossed.',
  });
  return body.id;
}

test('pending approvals are counted by kind and approver until the decision', async () => {
  const { admin, regionalAdmin, officer, otherOfficer, member, organizationId, chapterId } = stage.world;
  const request = await ask(officer);
  await ask(officer);
  await ask(otherOfficer);
  await asOwner(
    `INSERT INTO account_requests (organization_id, chapter_id, email, first_name, last_name, justification, status, verified_at)
     VALUES ($1, $2, 'account@approvals.example', 'A', 'B', 'C', 'pending', '2030-01-01')`,
    [organizationId, chapterId],
  );
  const account = { kind: 'account', tier: 'organization', count: 1, oldest_at: '2030-01-01T00:00:00.000Z' };
  const waits = (tier: string, count: number) => ({ kind: 'member_add', tier, count, oldest_at: expect.any(String) });
  expect((await stage.admin.get(inOrganization())).body).toEqual([
    account,
    waits('organization', 1),
    waits('regional', 2),
  ]);
  expect((await stage.as(regionalAdmin).get(inOrganization())).body).toEqual([waits('regional', 2)]);
  expect((await stage.as(officer).get(inOrganization())).body).toEqual([waits('regional', 2)]);
  expect((await stage.admin.get(inChapter())).body).toEqual([account, waits('regional', 2)]);
  expect((await stage.officer.get(inChapter())).body).toEqual([waits('regional', 2)]);
  const each = await Promise.all([admin, regionalAdmin, officer, otherOfficer, member].map(toDecide));
  expect(each).toEqual([2, 2, 0, 0, 0]);
  const path = `/api/organizations/${organizationId}/member-add-requests/${request}/review/`;
  await stage.as(regionalAdmin).post(path, { decision: 'approve' });
  expect((await stage.admin.get(inChapter())).body).toEqual([account, waits('organization', 1), waits('regional', 1)]);
  expect([await toDecide(admin), await toDecide(regionalAdmin)]).toEqual([3, 1]);
});

test('the API lists every kind of request that the view counts', () => {
  const view = readFileSync('models/database/schema/organizations/definitions/waiting_approvals.sql', 'utf8');
  const kinds = [...view.matchAll(/SELECT \w+\.organization_id, '(\w+)'/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(APPROVAL_KINDS);
});

test("a person's own request is not counted as theirs to decide", async () => {
  const { organizationId, chapterId } = stage.world;
  const both = await aMember(organizationId, chapterId, 'officer');
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    organizationId,
    both.userId,
  ]);
  const before = await toDecide(both);
  await asOwner('UPDATE regional_admins SET is_active = false WHERE organization_id = $1', [organizationId]);
  const [without] = [await toDecide(both)];
  await ask(both);
  expect(await toDecide(both)).toBe(without);
  expect(without).toBeGreaterThan(before);
  await asOwner('UPDATE regional_admins SET is_active = true WHERE organization_id = $1', [organizationId]);
});

test("members cannot read the counts, another organization's are a 404, and the counts are one statement", async () => {
  expect((await stage.member.get(inOrganization())).status).toBe(403);
  expect((await stage.member.get(inChapter())).status).toBe(403);
  expect((await stage.officer.get(inChapter(stage.world.otherChapterId))).status).toBe(403);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(inOrganization(id)));
  await expectNowhere(stage.other.chapterId, (id) => stage.admin.get(inChapter(id)));
  expect((await stage.as(stage.other.admin).get(inOrganization(stage.other.organizationId))).body).toEqual([]);
  expect(await countStatements(() => stage.admin.get(inOrganization()))).toBe(3);
});
