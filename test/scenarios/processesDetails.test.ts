/** A process in the Temporal UI: its stage and its outcome in words of the domain. */
import { randomUUID } from 'node:crypto';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { issueDues, payRemittance, type ProcessContract, sendAccountNotice } from '../../workflows/contracts/index.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { aProcessor, eventually, type Platform, startPlatform } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let officer: Client;

beforeAll(async () => {
  platform = await startPlatform();
  world = await aWorld({ members: 1 });
  await aProcessor(world);
  officer = platform.client(world.officer);
});
afterEach(() => platform.clearFaults());
afterAll(() => platform.close());

/** The queries that the UI sends to a process, besides the summary from its start. */
async function shown(workflowId: string): Promise<{ summary: string | undefined; details: string }> {
  const handle = temporal().workflow.getHandle(workflowId);
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return { summary: await (await handle.describe()).staticSummary(), details: metadata.currentDetails };
}

async function aPayment(): Promise<{
  remittance: string;
  invoice: string;
  pay: (method?: string) => Promise<unknown>;
}> {
  const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  const remittances = '/api/billing/remittances/';
  const { id } = (await officer.post(remittances, { chapter: world.chapterId, allocations })).body;
  const pay = (method = 'pm_card_visa') => officer.post(`${remittances}${id}/pay/`, { payment_method: method });
  return { remittance: id, invoice, pay };
}

const workflowOf = async (remittance: string): Promise<string> => {
  const { attempts } = (await officer.get(`/api/billing/remittances/${remittance}/`)).body;
  return attempts.at(-1).workflow_id;
};

/** Starts a process directly, over rows that do not exist. */
async function started(contract: ProcessContract): Promise<string> {
  const organizationId = contract.seenBy === 'platform' ? null : world.organizationId;
  const options = startOptions(contract, { ...contract.example(randomUUID), organizationId }, null);
  const handle = await temporal().workflow.start(contract.name, {
    ...options,
    taskQueue: queueName(contract.taskQueue),
  });
  await handle.result().catch(() => undefined);
  return handle.workflowId;
}

test('the details of a payment show its stage, and its outcome once it is paid', async () => {
  const { remittance, pay } = await aPayment();
  await platform.fault({ kind: 'hold', remittance_id: remittance });
  const paying = pay();
  await platform.held();
  const { summary, stages, ends } = payRemittance;
  expect(await shown(await workflowOf(remittance))).toEqual({ summary, details: stages.charging });
  await platform.release();
  await paying;
  expect(await shown(await workflowOf(remittance))).toEqual({ summary, details: ends.settled });
});

test('the details of a flagged payment and of a declined one differ, although both are completed', async () => {
  const flagged = await aPayment();
  await platform.fault({ kind: 'hold', remittance_id: flagged.remittance });
  const paying = flagged.pay();
  await platform.held();
  const admin = platform.client(world.admin);
  expect((await admin.post(`/api/invoices/${flagged.invoice}/void/`, { reason: 'Left' })).status).toBe(200);
  await platform.release();
  await paying;
  const workflowId = await workflowOf(flagged.remittance);
  expect((await temporal().workflow.getHandle(workflowId).describe()).status.name).toBe('COMPLETED');
  expect((await shown(workflowId)).details).toBe(payRemittance.ends.flagged);

  const declined = await aPayment();
  await declined.pay('pm_card_chargeDeclined');
  expect((await shown(await workflowOf(declined.remittance))).details).toBe(payRemittance.ends.declined);
});

test('the details of a cancelled process say what remains', async () => {
  const { remittance, pay } = await aPayment();
  await platform.fault({ kind: 'hold', operation: 'create', remittance_id: remittance });
  const paying = pay();
  await platform.held();
  const workflowId = await workflowOf(remittance);
  const handle = temporal().workflow.getHandle(workflowId);
  await handle.cancel();
  await eventually(
    async () => (await handle.describe()).status.name,
    (status) => status === 'CANCELLED',
  );
  expect((await shown(workflowId)).details).toBe(`Cancelled. ${payRemittance.cancel.says}`);
  await platform.release();
  await paying;
});

test('the details of a process say when its row or its recipient is gone', async () => {
  const workflowId = await started(issueDues);
  expect((await shown(workflowId)).details).toBe('Failed. The subject of this process has been deleted.');
  await recordHistory(workflowId, 'issueDues-row-missing');
  expect((await shown(await started(sendAccountNotice))).details).toBe(sendAccountNotice.ends.gone);
});
