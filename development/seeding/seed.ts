/**
 * Seeds each organization in one transaction, unless its slug exists. An organization of an earlier seed without a
 * foundation gets one.
 */
import { Client } from 'pg';
import { config } from '../../config.js';
import { hashPassword } from '../../models/identity/password/passwordHash.js';
import { insertInvoices, insertProcessor } from './billing.js';
import { type Blueprint, blueprints, DEMO_PASSWORD, type Size } from './blueprints.js';
import { readFacts, type SeededOrganization } from './facts.js';
import { insertForum } from './forums.js';
import { insertFoundation } from './foundation.js';
import { insertOrganization } from './organizations.js';
import { insertAdmins, insertMembers, insertPlatformAdmin } from './people.js';

/** Advisory lock: only one seed runs at a time. */
export const SEED_LOCK = 7_300_002;

/**
 * Seeds the demo organizations, connected as the owner role. A second run changes nothing.
 * @throws Error in production
 */
export async function seed(
  ownerUrl: string,
  size: Size,
): Promise<{ added: string[]; organizations: SeededOrganization[] }> {
  if (config.production) throw new Error('The seed writes known passwords: it does not run in production.');
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [SEED_LOCK]);
    const plans = blueprints(size);
    // One hash for all people: hashing for each would take minutes at larger sizes.
    const passwordHash = await hashPassword(DEMO_PASSWORD);
    const added: string[] = [];
    for (const blueprint of plans)
      if (await seedOrganization(client, blueprint, passwordHash)) added.push(blueprint.slug);
    // Updates the planner statistics, so that the first queries are planned for the new rows.
    if (added.length > 0) await client.query('ANALYZE');
    const organizations = await readFacts(
      client,
      plans.map(({ slug }) => slug),
    );
    return { added, organizations };
  } finally {
    await client.end();
  }
}

async function seedOrganization(client: Client, blueprint: Blueprint, passwordHash: string): Promise<boolean> {
  await client.query('BEGIN');
  try {
    const organizationId = await insertOrganization(client, blueprint);
    if (organizationId) await fill(client, organizationId, blueprint, passwordHash);
    await insertFoundation(client, blueprint, passwordHash);
    await client.query('COMMIT');
    return organizationId !== null;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function fill(client: Client, organizationId: string, blueprint: Blueprint, passwordHash: string): Promise<void> {
  await insertPlatformAdmin(client, passwordHash);
  await insertMembers(client, organizationId, blueprint, passwordHash);
  await insertAdmins(client, organizationId, blueprint);
  await insertProcessor(client, organizationId, blueprint.slug);
  await insertInvoices(client, organizationId, blueprint);
  await insertForum(client, organizationId);
}
