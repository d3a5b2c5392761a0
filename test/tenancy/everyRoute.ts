/** Requests to every route, built from the list of routes and its OpenAPI documentation. */
import { openApiPath } from '../../api/http/docs/operations.js';
import type { Route } from '../../api/http/routes.js';
import { processId } from '../../api/processes/id.js';
import { allRoutes } from '../../api/routes.js';
import { uuidv7 } from '../../models/database/uuid.js';
import type { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import type { World } from '../support/world.js';
import { fillEveryTable } from './everyTable.js';
import { type Ids, linksInBody, withLinks } from './foreignIds.js';

export const PRIVATE = allRoutes.filter(({ spec }) => spec.access !== 'public');
export const named = (route: Pick<Route, 'method' | 'path'>) => `${route.method.toUpperCase()} ${route.path}`;

/** Fills every table. @returns an id of each kind that paths and bodies take */
export const idsOf = async (of: World): Promise<Ids> => {
  const [session] = await asOwner<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [of.admin.userId]);
  const tables = await fillEveryTable(of);
  const [phone] = await asOwner<{ id: string }>('SELECT id FROM push_tokens WHERE user_id = $1', [of.member.userId]);
  return {
    ...tables,
    push_tokens: (phone as { id: string }).id,
    organizations: of.organizationId,
    sessions: (session as { id: string }).id,
    users: of.officer.userId,
    webauthn_credentials: await aPasskey(of),
    user_emails: await anEmail(of),
    processes: await aWaitingProcess(of),
    social_accounts: await aSocialAccount(of.admin.userId),
    platform_alerts: await anAlert(),
  };
};

/** A platform alert that has been sent to all organizations. */
async function anAlert(): Promise<string> {
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO platform_alerts (title, body, audience, status, closed_at)
     VALUES ('Maintenance', 'The platform is down on Sunday.', 'admins', 'done', now()) RETURNING id`,
  );
  return (row as { id: string }).id;
}

/** An address that the organization's admin has added. */
async function anEmail({ admin }: World): Promise<string> {
  const [row] = await asOwner<{ id: string }>('INSERT INTO user_emails (user_id, email) VALUES ($1, $2) RETURNING id', [
    admin.userId,
    `further-${admin.email}`,
  ]);
  return (row as { id: string }).id;
}

/** An account at the social network. */
async function aSocialAccount(userId: string): Promise<string> {
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO social_accounts (user_id, provider, subject, access_token_encrypted)
     VALUES ($1, 'linkedin', $2, 'none') RETURNING id`,
    [userId, userId],
  );
  return (made as { id: string }).id;
}

/** A passkey of the admin, as a row: its key does not matter here. */
async function aPasskey({ admin }: World): Promise<string> {
  const [passkey] = await asOwner<{ id: string }>(
    `INSERT INTO webauthn_credentials (user_id, credential_id, public_key, signature_counter, is_synced, name)
     VALUES ($1, $2, '\\x00', 0, false, 'Passkey') RETURNING id`,
    [admin.userId, uuidv7()],
  );
  return (passkey as { id: string }).id;
}

/** An intent that is not dispatched: there is no relay here. */
async function aWaitingProcess({ organizationId }: World): Promise<string> {
  const workflowId = `overdue/${organizationId}/2000-01-01`;
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     VALUES ($1, 'markOverdue', $2, $3, now() + interval '1 day')`,
    [organizationId, workflowId, { organizationId, day: '2000-01-01' }],
  );
  return processId(workflowId);
}

interface Operation {
  requestBody?: { content: Record<string, { example: unknown }> };
}

/** Path -> method -> the documentation's example of a body. */
export type Examples = Record<string, Record<string, unknown>>;

export async function examplesOf(client: Client): Promise<Examples> {
  const { paths } = (await client.get('/api/schema/')).body;
  const examplesIn = (methods: Record<string, Operation>) =>
    Object.fromEntries(
      Object.entries(methods).map(([method, { requestBody }]) => [
        method,
        requestBody?.content['application/json']?.example,
      ]),
    );
  return Object.fromEntries(
    Object.entries(paths as Record<string, Record<string, Operation>>).map(([path, methods]) => [
      path,
      examplesIn(methods),
    ]),
  );
}

const IN_A_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

/** Bodies where fields exclude one another, so that the documentation's example cannot contain all; and where its date passes. */
const DIFFERENT: Record<string, object> = {
  'POST /api/organizations/:organization_id/consent-templates/': { body_html: null },
  'POST /api/billing/remittances/:id/resolve/': { proposal_hash: undefined },
  'POST /api/hq/dues/:organization_id/runs/': { dry_run: true, due_date: IN_A_MONTH },
};

/** The documentation's example of a body, with its links set to the tenant's own rows. */
export function exampleOf(route: Pick<Route, 'method' | 'path'>, examples: Examples, own: Ids): unknown {
  const example = examples[openApiPath(route.path)]?.[route.method];
  if (example === undefined) return undefined;
  const links = linksInBody(example).map((link) => ({ ...link, id: own[link.table] as string }));
  return { ...(withLinks(example, links) as object), ...DIFFERENT[named(route)] };
}
