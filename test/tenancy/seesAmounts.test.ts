/** Visibility of amounts: the rule of the API and its SQL function agree for every kind of person. */
import type { Request } from 'express';
import { seesAmounts } from '../../api/finances/amounts.js';
import { actorPreamble, authenticate, personFacts } from '../../api/http/authentication.js';
import { inTransaction } from '../../models/database/tenancy.js';
import { Actor, type ActorFacts } from '../../models/identity/Actor.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aMember, aPlatformAdmin } from '../support/world.js';

const { world, other } = apiWorld();

/** The actor as the API loads it for a request with this token. */
async function actorWith(token: string): Promise<Actor> {
  const request = {
    headers: { authorization: `Bearer ${token}`, 'x-organization-id': world.organizationId },
  } as unknown as Request;
  const claims = authenticate(request);
  return inTransaction(
    actorPreamble(claims, request),
    { readOnly: true },
    () => world.organizationId,
    async (row) => new Actor(personFacts(row, claims, true) as ActorFacts),
  );
}

test.each([true, false])(
  'the API and the database agree on who sees amounts with officers_see_amounts %s',
  async (officersSee) => {
    await asOwner('UPDATE org_dues_settings SET officers_see_amounts = $2 WHERE organization_id = $1', [
      world.organizationId,
      officersSee,
    ]);
    const people = {
      admin: world.admin,
      regionalAdmin: world.regionalAdmin,
      officer: world.officer,
      president: await aMember(world.organizationId, world.chapterId, 'president'),
      member: world.member,
      advisor: await aMember(world.organizationId, world.chapterId, 'advisor'),
      elsewhere: await aMember(world.organizationId, world.otherChapterId, 'officer'),
      platform: await aPlatformAdmin(),
    };
    const decisions: unknown[] = [];
    for (const [name, { userId, token }] of Object.entries(people))
      for (const chapter of [world.chapterId, world.otherChapterId, other.chapterId, null]) {
        const [row] = await asOwner<{ sees: boolean }>('SELECT app.sees_amounts($1, $2, $3) AS sees', [
          world.organizationId,
          chapter,
          userId,
        ]);
        decisions.push([
          name,
          chapter,
          row?.sees,
          seesAmounts(await actorWith(token), { chapter_id: chapter }, officersSee),
        ]);
      }
    expect(decisions.filter((decision) => (decision as unknown[])[2] !== (decision as unknown[])[3])).toEqual([]);
    expect(decisions.filter((decision) => (decision as unknown[])[2]).length).toBe(officersSee ? 12 : 9);
  },
);
