/** Tests a burst of requests in one tenant: its own callers wait and are refused, all other callers are answered. */
import pg from 'pg';
import { config } from '../../../config.js';
import { rows } from '../../../models/database/rows.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import type { Client, Reply } from '../../support/api.js';
import { anInvoice } from '../../support/world.js';
import { apiWorld } from '../../support/apiWorld.js';

const stage = apiWorld();
let owner: pg.Client;
let invoices: string[];

beforeAll(async () => {
  owner = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await owner.connect();
  const { world } = stage;
  invoices = await Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId })),
  );
});
afterEach(() => owner.query('ROLLBACK'));
afterAll(() => owner.end());

/** Keeps the invoices locked, as a long change of them would, until the test ends. */
async function lockInvoices(): Promise<void> {
  await owner.query('BEGIN');
  await owner.query('SELECT 1 FROM chapter_invoices WHERE id = ANY($1) FOR UPDATE', [invoices]);
}

const draft = (client: Client) =>
  client.post('/api/billing/remittances/', {
    chapter: stage.world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: 100 })),
  });
const statusAndCode = ({ status, body }: Reply<{ code?: string }>) => [status, body.code];

test('another tenant and anonymous callers are answered while all connections of one tenant wait for locks', async () => {
  await lockInvoices();
  const burst = Array.from({ length: config.DATABASE_POOL * 3 }, () => draft(stage.officer));
  let over = 0;
  for (const one of burst) void one.then(() => (over += 1));

  const { world, other } = stage;
  for (let n = 0; n < 5; n += 1) {
    expect((await stage.as(other.officer).get(`/api/chapters/${other.chapterId}/members/`)).status).toBe(200);
    expect((await stage.as(other.admin).get(`/api/organizations/${other.organizationId}/`)).status).toBe(200);
    const refused = await stage.nobody.post('/api/auth/login/', { email: world.officer.email, password: 'not this' });
    expect(refused.status).toBe(401);
  }
  expect(over).toBe(0);

  const answers = await Promise.all(burst);
  expect(new Set(answers.map((answer) => String(statusAndCode(answer))))).toEqual(new Set(['409,locked', '503,busy']));
  for (const { headers } of answers) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  await owner.query('ROLLBACK');
  expect((await draft(stage.officer)).status).toBe(201);
});

test('drafts over the same invoices do not wait for one another', async () => {
  await owner.query('BEGIN');
  await owner.query('SELECT 1 FROM chapter_invoices WHERE id = ANY($1) FOR SHARE', [invoices]);
  expect((await draft(stage.officer)).status).toBe(201);
});

test('a transaction outside a request has no lock timeout and no connection quota', async () => {
  const setting = () => rows<{ lock_timeout: string }>('SHOW lock_timeout');
  expect(await inTenant(stage.world.organizationId, setting)).toEqual([{ lock_timeout: '0' }]);
});

test('a transaction within a transaction fails, because it would wait for a connection while it occupies one', async () => {
  await expect(inPlatform(() => inPlatform(async () => undefined))).rejects.toThrow('within another');
});
