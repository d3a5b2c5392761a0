/**
 * An erased account keeps an address in its row, which no answer shows: the test calls every route of the API and searches every
 * answer.
 */
import type { z } from 'zod';
import type { Route } from '../../api/http/routes.js';
import { ERASED_ADDRESS } from '../../models/identity/deletion/erased.js';
import { ERASED_DOMAIN } from '../../models/fields.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aPlatformAdmin } from '../support/world.js';
import { idsOf, named, PRIVATE } from './everyRoute.js';
import { addressOf, type Ids } from './foreignIds.js';

const { world, as } = apiWorld();
const NAME = 'Erased';
let ids: Ids;
let platform: { token: string };

beforeAll(async () => {
  ids = await idsOf(world);
  ids = { ...ids, chapters: world.chapterId, regions: world.regionId, memberships: world.member.membershipId };
  platform = await aPlatformAdmin();
  await asOwner('INSERT INTO organization_admins (organization_id, user_id, is_active) VALUES ($1, $2, false)', [
    world.organizationId,
    world.member.userId,
  ]);
  const request = { email: 'asked@example.org', first_name: 'A', last_name: 'B', justification: 'Known to all.' };
  expect((await as(world.officer).post(`/api/chapters/${world.chapterId}/member-add-requests/`, request)).status).toBe(
    201,
  );
  await asOwner(
    `UPDATE users SET email = ${ERASED_ADDRESS}, first_name = $1, last_name = 'account', disabled_at = now()
      WHERE email IS NOT NULL AND NOT is_platform_admin AND id <> $3 AND id IN
        (SELECT user_id FROM memberships WHERE organization_id = $2
         UNION SELECT user_id FROM regional_admins WHERE organization_id = $2)`,
    [NAME, world.organizationId, world.admin.userId],
  );
});

/** Queries that search for the erased people, for lists with a search. */
const searchesOf = ({ spec }: Route): string[] =>
  ['search', 'q']
    .filter((name) => name in ((spec.query as z.ZodObject | undefined)?.shape ?? {}))
    .map((name) => `?${name}=${NAME}`);

test('no answer shows the address in the row of an erased account', async () => {
  const header = { 'X-Organization-Id': world.organizationId };
  const clients = [as(world.admin), as(platform, header), as(platform)];
  const [telling, naming] = [new Set<string>(), new Set<string>()];
  for (const route of PRIVATE.filter(({ method }) => method === 'get'))
    for (const client of clients)
      for (const query of ['', ...searchesOf(route)]) {
        const { status, body } = await client.get(addressOf(route, ids) + query);
        const text = JSON.stringify(body) ?? '';
        if (text.includes(ERASED_DOMAIN)) telling.add(named(route));
        if (status === 200 && text.includes(NAME)) naming.add(named(route));
      }
  expect([...telling]).toEqual([]);
  // The lists show the erased people, without an address.
  expect([...naming]).toEqual(
    expect.arrayContaining([
      'GET /api/chapters/:id/members/',
      'GET /api/organizations/:organization_id/admins/',
      'GET /api/organizations/:organization_id/regional-admins/',
      'GET /api/organizations/:organization_id/audit-log/',
      'GET /api/platform/users/',
    ]),
  );
});
