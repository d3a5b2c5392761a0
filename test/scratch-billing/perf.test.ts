import { inTenant } from '../../models/database/tenancy.js';
import { sequelize } from '../../models/database/connection.js';
import { rows } from '../../models/database/rows.js';
import { completeDuesRun, issueNextChapters } from '../../models/finances/dues-runs/issuePlanned.js';
import { Client, startApi } from '../support/api.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld } from '../support/world.js';
test('perf', async () => {
  const api = await startApi();
  const w = await aWorld();
  await asOwner(`INSERT INTO chapters (organization_id, name) SELECT $1, 'C' || n FROM generate_series(1, 200) n`, [w.organizationId]);
  await asOwner(`INSERT INTO users (email, first_name, last_name) SELECT 'perf' || n || '@example.org', 'F' || n, 'L' || n FROM generate_series(1,20000) n`);
  await asOwner(`INSERT INTO memberships (organization_id, user_id, chapter_id)
   SELECT $1, u.id, c.id FROM (SELECT id, row_number() over () % 200 AS n FROM users WHERE email LIKE 'perf%') u JOIN (SELECT id, row_number() over () - 1 AS n FROM chapters WHERE organization_id = $1 AND name LIKE 'C%') c USING (n)`, [w.organizationId]);
  await asOwner(`INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1,$2,'undergrad',12500)`, [w.organizationId, w.termId]);
  await asOwner('ANALYZE');
  const admin = new Client(api.url, { token: w.admin.token });
  const p = `/api/hq/dues/${w.organizationId}/runs/`;
  const due = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const time = async <T>(name: string, f: () => Promise<T>) => { const s = performance.now(); const r = await f(); console.log(name, Math.round(performance.now() - s)); return r; };
  const pre = await time('preview', () => admin.post(p, { term: w.termId, due_date: due, dry_run: true }));
  console.log(pre.status, JSON.stringify(pre.body).length, pre.body.totals);
  const run = await time('commit', () => admin.post(p, { term: w.termId, due_date: due, preview_hash: pre.body.preview_hash }));
  console.log(run.status, run.body);
  let after: string | null = null; 
  await time('issue', async () => { do { const a: string|null = after; after = await time('page', () => inTenant(w.organizationId, () => issueNextChapters(run.body.id, a))); } while (after); await inTenant(w.organizationId, () => completeDuesRun(run.body.id)); });
  await asOwner('ANALYZE');
  for (const q of ['', '?ordering=-due_date', '?status=open', '?payer_type=member&status=open', '?ordering=balance_due_cents', '?ordering=-created_at', '?search=L199', '?page=400&page_size=50', `?chapter=${w.chapterId}`]) { await admin.get(`/api/organizations/${w.organizationId}/invoices/${q}`); await time('list ' + q, () => admin.get(`/api/organizations/${w.organizationId}/invoices/${q}`)); }
  await time('preview again', () => admin.post(p, { term: w.termId, due_date: due, dry_run: true }));
  await api.close(); await closeOwner();
}, 300_000);
