/** Writes files in `DATA_DIR` that tell people and tools who can sign in. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { config } from '../../config.js';
import { decrypt } from '../../models/database/encryption.js';
import { DEMO_PASSWORD } from './blueprints.js';
import { CAMPAIGN_SLUG } from './foundation.js';
import { demoEmail, PLATFORM_ADMIN_EMAIL } from './people.js';

export interface SeededPerson {
  id: string;
  email: string;
  password: string;
  membership_id: string | null;
  chapter_id: string | null;
}

export interface SeededOrganization {
  id: string;
  slug: string;
  /** Ids in creation order; the officer's chapter is the first. */
  chapter_ids: string[];
  term_id: string;
  payment_processor_id: string;
  /** Secret that signs this account's webhook events. */
  webhook_secret: string;
  /** The foundation and its public campaign. */
  foundation: { id: string; campaign_slug: string };
  users: Record<
    'platform_admin' | 'admin' | 'regional_admin' | 'officer' | 'member' | 'foundation_admin' | 'foundation_editor',
    SeededPerson
  >;
}

/** Reads the facts from the database, so that a second run reports the same. */
export async function readFacts(client: Client, slugs: string[]): Promise<SeededOrganization[]> {
  const organizations: SeededOrganization[] = [];
  for (const slug of slugs) organizations.push(await readOrganization(client, slug));
  return organizations;
}

async function readOrganization(client: Client, slug: string): Promise<SeededOrganization> {
  const { rows } = await client.query<Omit<SeededOrganization, 'users' | 'webhook_secret'>>(
    `SELECT o.id, o.slug,
            ARRAY(SELECT c.id FROM chapters c WHERE c.organization_id = o.id ORDER BY c.id) AS chapter_ids,
            (SELECT t.id FROM terms t WHERE t.organization_id = o.id AND t.starts_on <= current_date
              ORDER BY t.starts_on DESC LIMIT 1) AS term_id,
            (SELECT p.id FROM org_payment_processors p WHERE p.organization_id = o.id AND p.purpose = 'dues'
              ORDER BY p.disabled_at NULLS FIRST, p.id LIMIT 1) AS payment_processor_id,
            (SELECT json_build_object('id', f.id, 'campaign_slug', $2::text) FROM foundation_configs f
              WHERE f.organization_id = o.id) AS foundation
       FROM organizations o WHERE o.slug = $1`,
    [slug, CAMPAIGN_SLUG],
  );
  const organization = rows[0];
  if (!organization) throw new Error(`There is no organization ${slug}.`);
  const find = (email: string) => readPerson(client, organization.id, email);
  return {
    ...organization,
    webhook_secret: await readWebhookSecret(client, organization.payment_processor_id),
    users: {
      platform_admin: await find(PLATFORM_ADMIN_EMAIL),
      admin: await find(demoEmail('admin', slug)),
      regional_admin: await find(demoEmail('regional', slug)),
      officer: await find(demoEmail('treasurer', slug)),
      member: await find(demoEmail('member', slug)),
      foundation_admin: await find(demoEmail('foundation', slug)),
      foundation_editor: await find(demoEmail('editor', slug)),
    },
  };
}

async function readWebhookSecret(client: Client, rowId: string): Promise<string> {
  const { rows } = await client.query<{ sealed: string }>(
    'SELECT webhook_secret_encrypted AS sealed FROM org_payment_processors WHERE id = $1',
    [rowId],
  );
  return decrypt(rows[0]?.sealed ?? '', { table: 'org_payment_processors', column: 'webhook_secret_encrypted', rowId });
}

async function readPerson(client: Client, organizationId: string, email: string): Promise<SeededPerson> {
  const { rows } = await client.query<Omit<SeededPerson, 'password'>>(
    `SELECT u.id, u.email, m.id AS membership_id, m.chapter_id
       FROM users u LEFT JOIN memberships m ON m.organization_id = $1 AND m.user_id = u.id WHERE u.email = $2`,
    [organizationId, email],
  );
  const person = rows[0];
  if (!person) throw new Error(`The seeded person ${email} is gone.`);
  const { id, membership_id, chapter_id } = person;
  return { id, email, password: DEMO_PASSWORD, membership_id, chapter_id };
}

/** Replaces the file atomically, so that no reader sees half of it. @returns its path */
export function writeFacts(name: 'seed.json' | 'seed-large.json', organizations: { slug: string }[]): string {
  const file = path.join(config.dataDir, name);
  mkdirSync(config.dataDir, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(organizations, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return file;
}
