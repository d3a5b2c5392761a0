/**
 * Hostile values in any place of a request, by the caller with the most rights, never cause a server error and are refused with a
 * message. `HOSTILE_VALUES=all` tries each value in each place (minutes), `PROPERTY_SEED` repeats a run.
 */
import fc from 'fast-check';
import type { z } from 'zod';
import type { Route } from '../../api/http/routes.js';
import { allRoutes } from '../../api/routes.js';
import { config } from '../../config.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { Client, type Reply } from '../support/api.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aPlatformAdmin, signIn } from '../support/world.js';
import { casesOf, SEED } from '../support/seed.js';
import { type Examples, exampleOf, examplesOf, idsOf, named } from './everyRoute.js';
import { addressOf, type Ids } from './foreignIds.js';
import { hostileFor, PARAMETERS, placesIn, SEGMENTS, withValue } from './hostileValues.js';

config.THROTTLE_LIMITS = Object.fromEntries(Object.keys(config.THROTTLE_LIMITS).map((scope) => [scope, 1_000_000]));
const { api, world } = apiWorld();
let own: Ids;
let examples: Examples;
let people: Record<Route['spec']['access'], Client>;
beforeAll(async () => {
  await registerSearchAttributes();
  own = await idsOf(world);
  examples = await examplesOf(new Client(api.url));
  await signEverybodyIn();
  await asOwner(`UPDATE dues_runs SET preview_hash = repeat('0', 64) WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  // Encrypted fields must be readable.
  await asOwner('DELETE FROM sso_connections WHERE organization_id = $1', [world.organizationId]);
  for (const table of ['oauth_configurations', 'saml_configurations']) {
    const path = `/api/organizations/:organization_id/${table.replace('_', '-')}/`;
    const typed = { ...(exampleOf({ path, method: 'post' }, examples, own) as object), slug: table.replace('_', '-') };
    const { status, body } = await people.tenant.post(addressIn(path), typed);
    expect([path, status, body]).toEqual([path, 201, expect.anything()]);
    own[table] = body.id;
  }
});

/** Signs in again where a request has ended the session. */
async function signEverybodyIn(): Promise<void> {
  const admin = new Client(api.url, { token: await signIn(world.admin.userId, world.organizationId) });
  const platform = new Client(api.url, { token: (await aPlatformAdmin()).token });
  people = { public: new Client(api.url), account: admin, tenant: admin, platform };
}

const takesAll = process.env['HOSTILE_VALUES'] === 'all';

/** A random selection, each value equally likely. */
function someOf<T>(all: readonly T[], count: number, route: Route): readonly T[] {
  if (takesAll || all.length <= count) return all;
  const some = fc.shuffledSubarray([...all], { minLength: count, maxLength: count });
  return fc.sample(some, { seed: SEED + allRoutes.indexOf(route), numRuns: 1 })[0] ?? [];
}

/** The values of an address that are in no table. */
const UNKNOWN_WORDS = /:(token|uid|code|state|provider|edition)\b/g;

const addressIn = (path: string): string =>
  addressOf({ path: path.replace(':slug', world.slug).replaceAll(UNKNOWN_WORDS, 'unknown') }, own);

interface Try {
  address: string;
  body: unknown;
  /** The place of the value, and the value. */
  what: [string, unknown];
}

function triesOf(route: Route): Try[] {
  const { path, spec } = route;
  const body = exampleOf(route, examples, own);
  const address = addressIn(path);
  const places = spec.rawBody || body === undefined ? [] : placesIn(body);
  const bodies = places.flatMap(({ path: place, value }) =>
    hostileFor(value, own).map((hostile) => ({ place, hostile })),
  );
  const queries = Object.keys((spec.query as z.ZodObject | undefined)?.shape ?? {}).flatMap((name) =>
    PARAMETERS.map((value): Try => ({ address: `${address}?${name}=${value}`, body, what: [name, value] })),
  );
  const addresses = [...path.matchAll(/:\w+/g)].flatMap(([name]) =>
    SEGMENTS.map((value): Try => ({ address: addressIn(path.replace(name, value)), body, what: [name, value] })),
  );
  return [
    ...someOf(bodies, casesOf({ test: 1, release: 4 }), route).map(
      ({ place, hostile }): Try => ({
        address,
        body: withValue(body, place, hostile),
        what: [place.join('.'), hostile],
      }),
    ),
    ...someOf(queries, 1, route),
    ...someOf(addresses, 1, route),
  ];
}

/** Reads first, deletions last. */
const ORDER: Record<Route['method'], number> = { get: 0, post: 1, put: 1, patch: 1, delete: 2 };

/** A refusal says its reason: as JSON, or as a page for people. */
const inWords = (
  { spec }: Route,
  { status, body }: Reply<{ code?: unknown; detail?: unknown } | string | undefined>,
): boolean => {
  if (status < 400) return true;
  const answersPages = spec.textResponse === 'text/html' || spec.refusalPage !== undefined;
  if (typeof body === 'string') return answersPages && body.startsWith('<!doctype html>');
  return typeof body?.code === 'string' && typeof body.detail === 'string';
};

const shown = ([where, value]: Try['what']): string =>
  `${where} = ${typeof value === 'symbol' ? 'left out' : JSON.stringify(value)}`.slice(0, 150);

test('no hostile value causes a server error', async () => {
  const faults: string[] = [];
  for (const route of allRoutes.toSorted((one, other) => ORDER[one.method] - ORDER[other.method])) {
    for (const { address, body, what } of triesOf(route)) {
      const answer = await people[route.spec.access].send(route.method.toUpperCase(), address, body);
      if (answer.status === 401) await signEverybodyIn();
      if (answer.status === 500 || !inWords(route, answer))
        faults.push(`${named(route)} ${shown(what)}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
}, 1_800_000);
