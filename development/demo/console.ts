/** Leaves work for the console: a payment that is stuck, and a flagged remittance. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailed } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';
import { Stage } from './stage.js';
import { flagRemittance } from './stories.js';

/** Several failed attempts make a process stuck, about 15 s after the first one. */
const TIMEOUT_S = 120;

/** @throws DemoFailed */
export async function showConsole(facts: DemoFacts): Promise<boolean> {
  screen.chapter('Work that waits in the console');
  const stage = await Stage.open(facts);
  const { gateway } = stage;
  if (!gateway) throw new DemoFailed('Faults cannot be injected into this gateway.');

  screen.chapter('1. A payment that is stuck');
  const remittance = await stage.draft(3);
  await gateway.refuseCharges({ remittance_id: remittance.id });
  const { body } = await stage.pay(remittance, 'pm_card_visa');
  if (body['code'] !== 'remittance_in_progress') throw new DemoFailed('The payment should be in progress.');
  screen.step('the gateway drops each request; waiting until the process is stuck');
  await untilStuck(stage, remittance.id);
  screen.done('The payment is stuck. No money has moved.');

  screen.chapter('2. A flagged remittance');
  await flagRemittance(stage, gateway);

  screen.chapter('Finish both in the console');
  const admin = facts.organizations.find(({ id }) => id === stage.organizationId)?.users.admin;
  screen.done(`Open ${facts.base_url}/console/ and sign in: ${admin?.email ?? ''}, password ${admin?.password ?? ''}`);
  screen.note('A retry fails while the gateway drops requests. This command ends that; then a retry settles:');
  screen.note(`curl -X DELETE ${gateway.faultsUrl}`);
  return true;
}

async function untilStuck({ admin }: Stage, remittanceId: string): Promise<void> {
  for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
    const stuck = await admin.get<{ count: number }>(`/api/processes/?stuck=true&subject=${remittanceId}`);
    if (stuck.count > 0) return;
    await sleep(1000);
  }
  throw new DemoFailed(`The payment was not stuck after ${TIMEOUT_S} s.`);
}
