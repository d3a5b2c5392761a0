/** A foundation with its people, account, fund and a public campaign. */
import type { Client } from 'pg';
import { uuidv7 } from '../../models/database/uuid.js';
import { insertProcessor } from './billing.js';
import type { Blueprint } from './blueprints.js';
import { demoEmail } from './people.js';

/** Slug of the public campaign of every demo foundation. */
export const CAMPAIGN_SLUG = 'annual-fund';

/** Inserts the foundation of an existing organization, unless it has one. */
export async function insertFoundation(client: Client, blueprint: Blueprint, passwordHash: string): Promise<void> {
  const { slug, timezone, foundation } = blueprint;
  const { rows } = await client.query<{ id: string; organization_id: string }>(
    `INSERT INTO foundation_configs (organization_id, name, legal_name, ein, mailing_address, timezone, currency)
     SELECT id, $2, $3, $4, $5, $6, 'usd' FROM organizations WHERE slug = $1
     ON CONFLICT (organization_id) DO NOTHING RETURNING id, organization_id`,
    [slug, foundation.name, foundation.legalName, foundation.ein, foundation.address, timezone],
  );
  const [inserted] = rows;
  if (!inserted) return;
  const { id: foundationId, organization_id: organizationId } = inserted;
  await insertPeople(client, inserted, blueprint, passwordHash);
  const processorId = uuidv7();
  await insertProcessor(client, organizationId, slug, processorId, 'foundation');
  await client.query(
    `INSERT INTO foundation_payment_processors (organization_id, foundation_id, processor_id, fee_pass_through)
     VALUES ($1, $2, $3, true)`,
    [organizationId, foundationId, processorId],
  );
  await client.query(
    `WITH fund AS (
       INSERT INTO funds (organization_id, name, description, goal_cents, is_default)
       VALUES ($1, 'Scholarship fund', 'Scholarships for members in their last year of study.', 5000000, true)
       RETURNING id)
     INSERT INTO campaigns (organization_id, fund_id, title, description, goal_cents, slug, suggested_amounts, status, published_at)
     SELECT $1, id, 'Annual fund', '<p>Your gift pays for scholarships of members in their last year of study.</p>', 2500000,
            $2, ARRAY[2500, 5000, 10000, 25000], 'active', now() FROM fund`,
    [organizationId, CAMPAIGN_SLUG],
  );
}

/** Inserts the foundation's admin and editor, alumni of the second chapter. */
async function insertPeople(
  client: Client,
  { id: foundationId, organization_id: organizationId }: { id: string; organization_id: string },
  { slug }: Blueprint,
  passwordHash: string,
): Promise<void> {
  const emails = [demoEmail('foundation', slug), demoEmail('editor', slug)];
  await client.query(
    `WITH person AS (
       INSERT INTO users (email, password_hash, first_name, last_name, last_organization_id)
       SELECT p.email, $3, p.first_name, p.last_name, $1
         FROM unnest($4::text[], ARRAY['Frances', 'Edgar'], ARRAY['Foster', 'Ellison']) AS p(email, first_name, last_name)
       RETURNING id, email),
     member AS (
       INSERT INTO memberships (organization_id, user_id, chapter_id, role, status, joined_date)
       SELECT $1, id, (SELECT id FROM chapters WHERE organization_id = $1 ORDER BY id OFFSET 1 LIMIT 1), 'member', 'alumni',
              current_date - 3650 FROM person)
     INSERT INTO foundation_admins (organization_id, foundation_id, user_id, role)
     SELECT $1, $2, id, CASE WHEN email = $4[1] THEN 'admin' ELSE 'editor' END FROM person`,
    [organizationId, foundationId, passwordHash, emails],
  );
}
