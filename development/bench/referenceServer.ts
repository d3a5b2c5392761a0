/**
 * The reference, a process of its own: Fastify and Kysely as somebody would use them who needs a fast API and trusts
 * themselves to name the tenant in each query. It reads the same database, without row level security, sessions or
 * throttles, by prepared statements.
 */
import Fastify from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { presentAccount } from '../../api/identity/present.js';
import '../../models/areas.js';
import { sequelize } from '../../models/database/connection.js';
import type { AccountAtLogin } from '../../models/identity/accounts.js';
import { verifyPassword } from '../../models/identity/password/passwordHash.js';
import { signSessionTokens } from '../../models/identity/tokens.js';
import { exitWithSupervisor, reportReady } from '../../bin/serving/exitWithSupervisor.js';
import { handedSettings } from './protocol.js';
import { type Applied, insertApplication } from './reference/applying.js';
import { readChapterLedger, readCollectionRoster } from './reference/collections.js';
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

// Days stay days.
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
const pool = preparingPool({ connectionString: ownerUrl, max: connections, options: '-c timezone=UTC' });
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

/** The first page of a list, with its link to the second. */
const page = <Row>({ count, results }: { count: number; results: Row[] }, path: string, second: string) => ({
  count,
  next: count > 25 ? `${backendUrl}${path}?${second}` : null,
  previous: null,
  results,
});

/** Whose token it is, and of which organization, for whoever believes it. */
function callerOf({ authorization = '' }: { authorization?: string | undefined }): { sub: string; org: string } {
  const [, claims = ''] = authorization.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; org: string };
}

async function main(): Promise<void> {
  const app = Fastify();
  type InPath = { Params: { id: string } };

  const roster = '/api/chapters/:id/members/';
  app.get<InPath>(roster, async ({ params: { id } }) =>
    page(await readRoster(db, organizationId, id), roster.replace(':id', id), 'page=2'),
  );

  const collections = '/api/billing/roster/';
  app.get<{ Querystring: { chapter: string } }>(collections, async ({ query: { chapter } }) =>
    page(await readCollectionRoster(db, organizationId, chapter), collections, `chapter=${chapter}&page=2`),
  );

  const ledger = '/api/chapters/:id/finances/ledger/';
  app.get<InPath>(ledger, async ({ params: { id } }) => {
    const { account, ...entries } = await readChapterLedger(db, organizationId, id);
    return { ...account, ...page(entries, ledger.replace(':id', id), 'page=2') };
  });

  const invoices = '/api/organizations/:id/invoices/';
  app.get<InPath>(invoices, async ({ params: { id } }) => {
    const second = 'status=overdue&ordering=-due_date&page=2';
    return page(await readOverdueInvoices(db, id), invoices.replace(':id', id), second);
  });

  const notifications = '/api/notifications/';
  app.get(notifications, async ({ headers }) =>
    page(
      await readUnreadNotifications(db, organizationId, callerOf(headers).sub),
      notifications,
      'is_read=false&page=2',
    ),
  );

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
    insertApplication(db, organizationId, period.id, body as Applied),
  );

  const find = await findAccountText();
  await sequelize.close();
  app.post('/api/auth/login/', async ({ body }) => {
    const { email, password } = body as { email: string; password: string };
    const account = (await pool.query<AccountAtLogin>(find, [email, null])).rows[0] as AccountAtLogin;
    if (!(await verifyPassword(password, account.password_hash))) throw new Error('This is not the password.');
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
