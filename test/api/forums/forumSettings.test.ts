/** Settings for forums of an organization. */
import { apiWorld } from '../../support/apiWorld.js';

const stage = apiWorld();
const { world, other, as } = stage;
const path = (organization: string) => `/api/organizations/${organization}/forum-settings/`;

test('an admin reads the defaults and changes them; others do not see them', async () => {
  const own = path(world.organizationId);
  const defaults = { forum_creators: 'admins_and_officers', hide_after_flags: 3, version: 0 };
  expect(await stage.admin.get(own)).toMatchObject({ status: 200, body: defaults });
  const changed = await stage.admin.patch(own, { forum_creators: 'admins', hide_after_flags: 0, version: 0 });
  expect(changed).toMatchObject({ status: 200, body: { forum_creators: 'admins', hide_after_flags: 0, version: 1 } });
  expect(await stage.admin.patch(own, { hide_after_flags: 2, version: 0 })).toMatchObject({
    status: 409,
    body: { code: 'stale_version' },
  });
  for (const client of [stage.officer, as(world.regionalAdmin)]) expect((await client.get(own)).status).toBe(403);
  expect((await stage.nobody.get(own)).status).toBe(401);
  expect((await stage.admin.get(path(other.organizationId))).status).toBe(404);
});

test.each([
  [{ hide_after_flags: 21 }, 'hide_after_flags'],
  [{ hide_after_flags: -1 }, 'hide_after_flags'],
  [{ forum_creators: 'everybody' }, 'forum_creators'],
  [{ no_such_field: 1 }, 'no_such_field'],
])('%j is refused and names %s', async (body, field) => {
  const { status, body: answer } = await stage.admin.patch(path(world.organizationId), body);
  expect(status).toBe(400);
  expect(Object.keys(answer.errors)).toEqual([field]);
});
