/** Approvals of plan requests that race with another change of the invoice: the result is that of one of the two orders. */
import { asOwner } from '../../support/owner.js';
import { ask, type Owing, owing, pay, read, review, stage } from './plans.support.js';

const ROUNDS = 4;

/** The status of the request, and the plan with its cancellation notices. */
async function readResult({ invoice }: Owing) {
  const [row] = await asOwner<{ request: string; plan: string | null; total: number | null; notices: number }>(
    `SELECT r.status AS request, p.status AS plan, p.total_cents::int AS total,
            (SELECT count(*)::int FROM notifications n WHERE n.subject_id = p.id AND n.notification_type = 'plan_cancelled') AS notices
       FROM payment_plan_requests r LEFT JOIN payment_plans p ON p.request_id = r.id WHERE r.invoice_id = $1`,
    [invoice],
  );
  return row;
}

test('an approval that races with the regeneration of its invoice leaves a cancelled plan or a lapsed request', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const owed = await owing(10_000);
    const { organizationId, termId, admin } = owed.world;
    await asOwner(
      `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, 'undergrad', 12000)`,
      [organizationId, termId],
    );
    await asOwner('UPDATE chapter_invoices SET is_recurring = true WHERE id = $1', [owed.invoice]);
    const { id } = (await ask(owed)).body;
    const regenerate = `/api/hq/dues/${organizationId}/invoices/${owed.invoice}/regenerate/`;
    const [reviewed, regenerated] = await Promise.all([review(owed, id), stage.as(admin).post(regenerate, {})]);
    expect(regenerated.status).toBeLessThan(300);
    expect((await read(owed)).status).toBe('void');
    const granted = { request: 'approved', plan: 'cancelled', total: 10_000, notices: 1 };
    const lapsed = { request: 'lapsed', plan: null, total: null, notices: 0 };
    expect([200, 409]).toContain(reviewed.status);
    expect(await readResult(owed)).toEqual(reviewed.status === 200 ? granted : lapsed);
  }
});

test('an approval that races with the full payment leaves a completed plan or a lapsed request', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const owed = await owing(9_000);
    const { id } = (await ask(owed)).body;
    const [reviewed] = await Promise.all([review(owed, id), pay(owed, 9_000)]);
    expect((await read(owed)).status).toBe('paid');
    const granted = { request: 'approved', plan: 'completed', total: 9_000, notices: 0 };
    const lapsed = { request: 'lapsed', plan: null, total: null, notices: 0 };
    expect([200, 409]).toContain(reviewed.status);
    expect(await readResult(owed)).toEqual(reviewed.status === 200 ? granted : lapsed);
  }
});

test('an approval that races with a partial payment divides the balance of that moment', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const owed = await owing(9_000);
    const { id } = (await ask(owed)).body;
    const [{ status, body }] = await Promise.all([review(owed, id), pay(owed, 1_000)]);
    expect(status).toBe(200);
    expect((await readResult(owed))?.total).toBe(body.repriced ? 8_000 : 9_000);
    expect((await read(owed)).balance_due_cents).toBe(8_000);
  }
});

test('an approval that races with a transfer leaves an active plan on the invoice or a lapsed request', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const owed = await owing(9_000);
    const { member, admin, otherChapterId } = owed.world;
    const { id } = (await ask(owed)).body;
    const move = (body: object) =>
      stage
        .as(admin)
        .post(`/api/memberships/${member.membershipId}/transfer/`, { to_chapter: otherChapterId, ...body });
    const { preview_hash } = (await move({ dry_run: true })).body;
    const [reviewed, moved] = await Promise.all([review(owed, id), move({ preview_hash })]);
    if (reviewed.status === 200) {
      // The preview counts open requests, so a transfer after the decision is refused as stale.
      if (moved.status !== 201) expect(moved).toMatchObject({ status: 409, body: { code: 'preview_stale' } });
      expect(await readResult(owed)).toMatchObject({ request: 'approved', plan: 'active', total: 9_000 });
      expect((await read(owed)).due_date).toBe(owed.body.first_due_date);
    } else {
      expect([reviewed.status, moved.status]).toEqual([409, 201]);
      expect(await readResult(owed)).toMatchObject({ request: 'lapsed', plan: null });
      expect((await read(owed)).balance_due_cents).toBe(9_000);
    }
  }
});
