/** The large seed: set-based SQL, one transaction per organization, two organizations at a time. */
import { Client } from 'pg';
import { config } from '../../../config.js';
import { hashPassword } from '../../../models/identity/password/passwordHash.js';
import { insertProcessor } from '../billing.js';
import { DEMO_PASSWORD } from '../blueprints.js';
import { insertPlatformAdmin } from '../people.js';
import type { Progress } from '../progress.js';
import { SEED_LOCK } from '../seed.js';
import { insertApplications, insertPeriods } from './intake.js';
import { insertAuditLog, insertDiscountsAndCredit } from './adjustments.js';
import { type LargeOrganization, readLargeFacts } from './facts.js';
import { insertBulletins } from './bulletins.js';
import { insertForums } from './forums.js';
import { insertGifts } from './gifts.js';
import { insertInvoicesAndPayments, planInvoices } from './invoices.js';
import { insertHostedPayments, insertRemittances, insertAllocations, planPayments } from './payments.js';
import { insertNotifications } from './notifications.js';
import { insertPeople } from './people.js';
import { closeChapters, insertLargeOrganization, insertRegionsAndChapters, insertRules } from './places.js';
import { LARGE, largeSlug, type Scale, SEEDED_ID } from './scale.js';
import { refreshStatistics } from './statistics.js';

/** Number of connections. One suffices per core of a small machine, because the server does the work. */
const CONNECTIONS = 2;
/** Number of progress steps for each organization. One more step, for the statistics, comes last. */
const STEPS = 11;

export interface LargeSeed {
  /** Slugs of the organizations that did not exist yet. */
  added: string[];
  organizations: LargeOrganization[];
}

/**
 * Seeds twenty organizations, connected as the owner role. Existing organizations stay unchanged.
 * @throws Error in production
 */
export async function seedLarge(
  ownerUrl: string,
  { scale = LARGE, onProgress = () => undefined }: { scale?: Scale; onProgress?: (progress: Progress) => void } = {},
): Promise<LargeSeed> {
  if (config.production) throw new Error('The seed writes known passwords: it does not run in production.');
  const numbers = Array.from({ length: scale.organizations }, (_, index) => index + 1);
  const total = scale.organizations * STEPS + 1;
  let done = 0;
  const report = (label: string, steps = 1) => onProgress({ done: (done += steps), total, label });
  const clients = Array.from({ length: CONNECTIONS }, () => new Client({ connectionString: ownerUrl }));
  const [first] = clients as [Client, ...Client[]];
  try {
    for (const client of clients) await client.connect();
    await first.query('SELECT pg_advisory_lock($1)', [SEED_LOCK]);
    const passwordHash = await hashPassword(DEMO_PASSWORD);
    await insertPlatformAdmin(first, passwordHash);
    const queue = [...numbers];
    const added: string[] = [];
    await Promise.all(
      clients.map(async (client) => {
        await client.query(SEEDED_ID);
        for (let number = queue.shift(); number; number = queue.shift())
          if (await seedOrganization(client, number, scale, passwordHash, report)) added.push(largeSlug(number));
          else report(`${largeSlug(number)} exists already`, STEPS);
      }),
    );
    if (added.length > 0) await refreshStatistics(first);
    report('statistics');
    return { added: added.sort(), organizations: await readLargeFacts(first, numbers.map(largeSlug)) };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function seedOrganization(
  client: Client,
  number: number,
  scale: Scale,
  passwordHash: string,
  report: (label: string) => void,
): Promise<boolean> {
  await client.query('BEGIN');
  try {
    const id = await insertLargeOrganization(client, number);
    if (id) await fill(client, id, number, scale, passwordHash, report);
    await client.query('COMMIT');
    return id !== null;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function fill(
  client: Client,
  id: string,
  number: number,
  scale: Scale,
  passwordHash: string,
  report: (label: string) => void,
): Promise<void> {
  const slug = largeSlug(number);
  const step = async (what: string, work: () => Promise<unknown>) => {
    await work();
    report(`${slug}: ${what}`);
  };
  await step('chapters', () => insertRegionsAndChapters(client, id, number, scale));
  await step('terms', () => insertRules(client, id, number));
  await insertPeriods(client, id, number);
  await step('members', async () => {
    await insertPeople(client, id, number, scale, passwordHash);
    await insertApplications(client, id, number);
  });
  await closeChapters(client, id);
  const processorId = await processor(client, id, number);
  await planInvoices(client, number);
  await planPayments(client);
  await insertRemittances(client, id, processorId);
  await step('invoices and payments', () => insertInvoicesAndPayments(client, id, number, processorId));
  await step('remittances', async () => {
    await insertAllocations(client, id);
    await insertHostedPayments(client, id, processorId);
  });
  await step('credit', () => insertDiscountsAndCredit(client, id, number));
  await step('notifications', () => insertNotifications(client, id));
  await step('audit log', () => insertAuditLog(client, id, number));
  await step('gifts', () => insertGifts(client, id, number, scale));
  await step('bulletins', () => insertBulletins(client, id, number));
  await step('forums', () => insertForums(client, id, number, scale));
}

async function processor(client: Client, organizationId: string, number: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`SELECT pg_temp.seeded_id('processor', $1) AS id`, [number]);
  const id = (rows[0] as { id: string }).id;
  await insertProcessor(client, organizationId, largeSlug(number), id);
  return id;
}
