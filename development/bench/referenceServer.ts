/**
 * The reference server, a process of its own: Fastify and Kysely, written for speed by a developer who names the tenant
 * in each query by hand. It reads the same database without row level security, sessions or throttles, and uses
 * prepared statements with cached plans.
 */
import Fastify from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { PageRequest } from '../../models/database/page.js';
import { presentAccount } from '../../api/identity/present.js';
import '../../models/wireAreas.js';
import { sequelize } from '../../models/database/connection.js';
import type { AccountAtLogin } from '../../models/identity/accounts.js';
import { verifyPassword } from '../../models/identity/password/passwordHash.js';
import { signSessionTokens } from '../../models/identity/tokens.js';
import { exitWithSupervisor, reportReady } from '../../bin/serving/exitWithSupervisor.js';
import { handedSettings } from './protocol.js';
import { type ApplicationBody, insertApplication } from './reference/applying.js';
import { readChapterLedger, readCollectionRoster } from './reference/collections.js';
import { readComments, readFeed, readForums } from './reference/forums.js';
import { readCampaign, readDonations } from './reference/giving.js';
import { preparingPool } from './reference/prepared.js';
import {
  markAsRead,
  readOrganization,
  readOverdueInvoices,
  readRoster,
  readUnreadNotifications,
} from './reference/reads.js';
import type { Tables } from './reference/tables.js';
import { beginSessionStatement, findAccountText } from './statements.js';

const { port, connections, ownerUrl, backendUrl, organizationId } = handedSettings();

// Dates stay strings.
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
// Without forced generic plans Postgres would plan each list page again, because it expects a plan for a known OFFSET
// to be cheaper.
const options = '-c timezone=UTC -c plan_cache_mode=force_generic_plan';
const pool = preparingPool({ connectionString: ownerUrl, max: connections, options });
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

const PAGE_SIZE = 25;

/** A request for a page of a list. */
interface ListRequest {
  url: string;
  query: unknown;
}

const pageOf = ({ query }: ListRequest): PageRequest => ({
  page: Number((query as { page?: string }).page ?? 1),
  pageSize: PAGE_SIZE,
});

/** Returns a page of a list with links to the previous and the next page. */
function paged<Row>({ count, results }: { count: number; results: Row[] }, asked: ListRequest) {
  const { page } = pageOf(asked);
  const link = (number: number): string => {
    const url = new URL(asked.url, backendUrl);
    url.searchParams.set('page', String(number));
    return url.href;
  };
  const next = count > page * PAGE_SIZE ? link(page + 1) : null;
  return { count, next, previous: page > 1 ? link(page - 1) : null, results };
}

/** Returns the user and organization of a token without verifying it. */
function callerOf({ authorization = '' }: { authorization?: string | undefined }): { sub: string; org: string } {
  const [, claims = ''] = authorization.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; org: string };
}

async function main(): Promise<void> {
  const app = Fastify();
  type InPath = { Params: { id: string } };

  app.get<InPath>('/api/chapters/:id/members/', async (request) =>
    paged(await readRoster(db, callerOf(request.headers).org, request.params.id, pageOf(request)), request),
  );

  app.get<{ Querystring: { chapter: string } }>('/api/billing/roster/', async (request) => {
    const { org } = callerOf(request.headers);
    return paged(await readCollectionRoster(db, org, request.query.chapter, pageOf(request)), request);
  });

  app.get<InPath>('/api/chapters/:id/finances/ledger/', async (request) => {
    const { org } = callerOf(request.headers);
    const { account, ...entries } = await readChapterLedger(db, org, request.params.id, pageOf(request));
    return { ...account, ...paged(entries, request) };
  });

  app.get<InPath>('/api/organizations/:id/invoices/', async (request) =>
    paged(await readOverdueInvoices(db, request.params.id, pageOf(request)), request),
  );

  app.get<{ Params: { foundation: string; slug: string } }>(
    '/api/foundation/public/campaigns/:foundation/:slug/',
    ({ params: { foundation, slug } }) => readCampaign(db, foundation, slug),
  );

  app.get('/api/foundation/donations/', async (request) =>
    paged(await readDonations(db, callerOf(request.headers).org, pageOf(request)), request),
  );

  app.get('/api/forums/', async (request) =>
    paged(await readForums(db, callerOf(request.headers), pageOf(request)), request),
  );

  app.get<InPath>('/api/forums/:id/posts/', async (request) =>
    paged(await readFeed(db, callerOf(request.headers), request.params.id, pageOf(request)), request),
  );

  app.get<{ Params: { forum: string; post: string } }>('/api/forums/:forum/posts/:post/comments/', async (request) =>
    paged(await readComments(db, callerOf(request.headers), request.params, pageOf(request)), request),
  );

  const notifications = '/api/notifications/';
  app.get(notifications, async (request) => {
    const { org, sub } = callerOf(request.headers);
    return paged(await readUnreadNotifications(db, org, sub, pageOf(request)), request);
  });

  app.post(`${notifications}mark_read/`, ({ headers, body }) => {
    const { notification_ids: ids } = body as { notification_ids: string[] };
    const { org, sub } = callerOf(headers);
    return markAsRead(db, org, sub, ids);
  });

  app.get<InPath>('/api/organizations/:id/', ({ params: { id } }) => readOrganization(db, id));

  const period = await db
    .selectFrom('recruitment_periods')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  app.post('/api/pnm/public/:slug/applications/', ({ body }) =>
    insertApplication(db, organizationId, period.id, body as ApplicationBody),
  );

  const find = await findAccountText();
  await sequelize.close();
  app.post('/api/auth/login/', async ({ body }) => {
    const { email, password } = body as { email: string; password: string };
    const account = (await pool.query<AccountAtLogin>(find, [email, null])).rows[0] as AccountAtLogin;
    if (!(await verifyPassword(password, account.password_hash))) throw new Error('The password is wrong.');
    const organization = account.organization?.id ?? null;
    const { text, values } = beginSessionStatement(account);
    const { rows } = await pool.query<{ session_id: string; refresh_token_id: string }>(text, [...values]);
    const [{ session_id: sessionId, refresh_token_id: refreshTokenId }] = rows as [(typeof rows)[number]];
    const tokens = signSessionTokens({ userId: account.id, organizationId: organization, sessionId, refreshTokenId });
    return { user: presentAccount(account), organization: account.organization, ...tokens };
  });

  exitWithSupervisor();
  process.once('SIGTERM', () => process.exit(0));
  await app.listen({ port, host: '127.0.0.1' });
  reportReady();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
