/**
 * The reference, a process of its own: Express and pg, and nothing else between a request and the statement that answers
 * it. It runs the very statements of the product, on the same server, as a role that row level security lets pass.
 */
import express, { type Request, type Response } from 'express';
import pg from 'pg';
import { presentAccount } from '../../api/identity/present.js';
import { sequelize } from '../../models/database/connection.js';
import type { Statement } from '../../models/database/rows.js';
import type { AccountAtLogin } from '../../models/identity/accounts.js';
import { verifyPassword } from '../../models/identity/passwordHash.js';
import { signSessionTokens } from '../../models/identity/tokens.js';
import { organizationText } from '../../models/organizations/readOrganizations.js';
import { exitWithSupervisor, reportReady } from '../stack/exitWithSupervisor.js';
import { handedSettings } from './protocol.js';
import { beginSessionStatement, findAccountText, invoicesStatement, rosterStatement } from './statements.js';

const { port, connections, ownerUrl, backendUrl, organizationId, chapterId } = handedSettings();

const pool = new pg.Pool({
  connectionString: ownerUrl,
  max: connections,
  // The statements name the tenant by this setting; the product sets it in each transaction.
  options: `-c app.organization_id=${organizationId} -c timezone=UTC`,
});

async function firstRow<Row>({ text, values }: Statement): Promise<Row> {
  const { rows } = await pool.query(text, values as unknown[]);
  return rows[0] as Row;
}

/** The first page of a list, with its link to the second. */
function page(statement: Statement, path: string, second: string) {
  const next = JSON.stringify(`${backendUrl}${path}?${second}`);
  return async (_request: Request, response: Response): Promise<void> => {
    const { count, results } = await firstRow<{ count: number; results: string }>(statement);
    const links = `"next":${count > 25 ? next : 'null'},"previous":null`;
    response.type('json').send(`{"count":${count},${links},"results":${results}}`);
  };
}

async function main(): Promise<void> {
  const app = express();
  app.disable('x-powered-by').disable('etag');

  const roster = `/api/chapters/${chapterId}/members/`;
  app.get(roster, page(rosterStatement(chapterId), roster, 'page=2'));

  const invoices = `/api/organizations/${organizationId}/invoices/`;
  app.get(invoices, page(invoicesStatement(), invoices, 'status=overdue&ordering=-due_date&page=2'));

  app.get(`/api/organizations/${organizationId}/`, async (_request, response) => {
    const { json } = await firstRow<{ json: string }>(organizationText(organizationId));
    response.type('json').send(json);
  });

  const find = await findAccountText();
  await sequelize.close();
  app.post('/api/auth/login/', express.json(), async (request, response) => {
    const { email, password } = request.body as { email: string; password: string };
    const account = await firstRow<AccountAtLogin>({ text: find, values: [email, null] });
    if (!(await verifyPassword(password, account.password_hash))) throw new Error('This is not the password.');
    const organization = account.organization?.id ?? null;
    const session = await firstRow<{ session_id: string; refresh_token_id: string }>(beginSessionStatement(account));
    const { session_id: sessionId, refresh_token_id: refreshTokenId } = session;
    const tokens = signSessionTokens({ userId: account.id, organizationId: organization, sessionId, refreshTokenId });
    response.json({ user: presentAccount(account), organization: account.organization, ...tokens });
  });

  exitWithSupervisor();
  process.once('SIGTERM', () => process.exit(0));
  app.listen(port, '127.0.0.1', reportReady);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
