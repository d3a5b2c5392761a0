import { dispatchWritten } from '../../models/database/outbox.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginPayment } from '../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../models/finances/remittances/createRemittance.js';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, type Platform, startPlatform } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;

beforeAll(async () => {
  platform = await startPlatform();
  world = await aWorld({ members: 1 });
  await aProcessor(world);
});
afterAll(() => platform.close());

/** Commits the intent to pay and stops there. @param dispatches whether it dispatches like a request, which has some seconds for it */
async function commitPayment({ dispatches }: { dispatches: boolean }): Promise<string> {
  const { organizationId, chapterId, member, officer } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 4_200 });
  return inTenant(
    organizationId,
    async () => {
      const id = await createRemittance(chapterId, [{ invoice, amount_cents: 4_200 }], officer.userId);
      await beginPayment(id, 'pm_card_visa', officer.userId);
      return id;
    },
    dispatches ? { afterCommit: () => undefined } : {},
  );
}

const settled = (remittanceId: string) =>
  eventually(
    () => asOwner('SELECT settled_at FROM chapter_remittances WHERE id = $1', [remittanceId]),
    ([row]) => row?.['settled_at'] !== null,
  );

test('the relay starts the process of a request that dies after its commit', async () => {
  const remittanceId = await commitPayment({ dispatches: true });
  await settled(remittanceId);
  expect(await platform.moved(remittanceId)).toHaveLength(1);
  await expectSoundLedger();
});

test('a row that several dispatchers dispatch at once starts one process', async () => {
  const remittanceId = await commitPayment({ dispatches: false });
  const written = await asOwner<{ id: string }>("SELECT id FROM outbox WHERE input->>'remittanceId' = $1", [
    remittanceId,
  ]);
  const outbox = written.map(({ id }) => id);
  await Promise.all(Array.from({ length: 5 }, () => dispatchWritten(outbox, startMessage)));
  await settled(remittanceId);
  expect(await platform.moved(remittanceId)).toHaveLength(1);
  expect(await asOwner('SELECT 1 FROM outbox WHERE dispatched_at IS NULL AND id = ANY($1)', [outbox])).toEqual([]);
});

test('an intent that is rolled back leaves nothing to dispatch', async () => {
  const before = await asOwner('SELECT count(*) FROM outbox');
  const { organizationId, chapterId, member, officer } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 4_200 });
  const work = inTenant(organizationId, async () => {
    const id = await createRemittance(chapterId, [{ invoice, amount_cents: 4_200 }], officer.userId);
    await beginPayment(id, 'pm_card_visa', officer.userId);
    throw new Error('the request fails before its commit');
  });
  await expect(work).rejects.toThrow('before its commit');
  expect(await asOwner('SELECT count(*) FROM outbox')).toEqual(before);
});

test('a process describes itself by ids alone', async () => {
  const remittanceId = await commitPayment({ dispatches: false });
  await settled(remittanceId);
  const [row] = await asOwner<{ input: Record<string, string> }>(
    `SELECT input FROM outbox WHERE input->>'remittanceId' = $1`,
    [remittanceId],
  );
  expect(Object.keys(row?.input ?? {}).sort()).toEqual(['attemptId', 'chapterId', 'organizationId', 'remittanceId']);
  expect(Object.values(row?.input ?? {}).every((value) => /^[0-9a-f-]{36}$/.test(value))).toBe(true);
});
