/** Tests connection quotas under a crowd: callers outside the crowd are still answered. */
import pg from 'pg';
import { post } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { config } from '../../../config.js';
import { rows } from '../../../models/database/rows.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { startSession } from '../../../models/identity/startSession.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';
import { aWorld, type World } from '../../support/world.js';
import { forgetAttempts, givePassword, logIn } from '../identity/accounts.support.js';

const LOCK = 4711;
const CROWD = config.DATABASE_POOL * 2;

/** A public endpoint that waits for a lock. */
const slow = post('/slow/', { summary: 'Slow', access: 'public', throttle: [] }, async () => {
  await inPlatform(() => rows('SELECT pg_advisory_xact_lock($1)', [LOCK]));
});

let crowded: World;
let other: World;

Object.assign(config, { THROTTLE_LIMITS: { auth: 10_000, token_refresh: 10_000 } });
const api = anApi({ routes: [...allRoutes, slow] });
beforeAll(async () => {
  [crowded, other] = [await aWorld(), await aWorld()];
  for (const { member } of [crowded, other]) await givePassword(member.userId);
});
beforeEach(forgetAttempts);

const client = () => new Client(api.url);

async function refreshTokens({ organizationId, member }: World, count: number): Promise<string[]> {
  const device = { client: 'native', userAgent: null, ipAddress: '127.0.0.1' } as const;
  const begin = () => startSession({ userId: member.userId, organizationId, device });
  const made = Array.from({ length: count }, () => inTenant(organizationId, begin));
  return (await Promise.all(made)).map((tokens) => tokens?.refresh_token ?? '');
}
const refresh = (refresh_token: string) => client().post('/api/auth/token/refresh/', { refresh_token });

/** @param lockStatement locks what the crowd waits for; the lock is released after all other callers were answered */
async function beside(
  lockStatement: string,
  values: unknown[],
  crowd: () => Promise<unknown>[],
  others: () => Promise<void>,
) {
  const holder = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lockStatement, values);
    const requests = crowd();
    await others();
    await holder.query('COMMIT');
    await Promise.all(requests);
  } finally {
    await holder.end();
  }
}

async function signsIn(world: World): Promise<void> {
  expect((await logIn(client(), { email: world.member.email })).status).toBe(200);
}

test("refreshes of one tenant leave other tenants' refreshes, log-ins and anonymous callers answered", async () => {
  const tokens = await refreshTokens(crowded, CROWD);
  const [theirs = ''] = await refreshTokens(other, 1);
  await beside(
    'SELECT FROM sessions WHERE organization_id = $1 FOR UPDATE',
    [crowded.organizationId],
    () => tokens.map(refresh),
    async () => {
      expect((await refresh(theirs)).status).toBe(200);
      await signsIn(other);
      expect((await client().get('/api/auth/sso/discover/?domain=example.org')).status).toBe(200);
      // Log-out takes a connection from the quota of its session's organization too, and does not wait for the others.
      expect((await client().post('/api/auth/logout/', { refresh_token: theirs })).status).toBe(204);
    },
  );
});

test('a crowd of anonymous callers leaves log-ins and refreshes answered', async () => {
  const [theirs = ''] = await refreshTokens(other, 1);
  await beside(
    'SELECT pg_advisory_xact_lock($1)',
    [LOCK],
    () => Array.from({ length: CROWD }, () => client().post('/slow/')),
    async () => {
      await signsIn(crowded);
      expect((await refresh(theirs)).status).toBe(200);
    },
  );
});
