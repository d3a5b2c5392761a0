/** Runs of annual receipts, confirmed over the API. */
import { aFoundation, type Foundation } from './foundation.js';
import { aGift, LAST_YEAR, lastYear } from './gifts.js';
import { asOwner } from './owner.js';
import type { Platform } from './platform.js';
import { aWorld } from './world.js';

export interface Run {
  id: string;
  workflowId: string;
  foundation: Foundation;
  organizationId: string;
}

const path = '/api/foundation/annual-receipts/';

/** A foundation whose donors gave last year, and whose single receipts are mailed already. */
export async function aYear(donors: number) {
  const world = await aWorld({ members: 1 });
  const foundation = await aFoundation(world);
  const { organizationId } = world;
  for (let n = 0; n < donors; n += 1) await aGift(organizationId, foundation, { at: lastYear() });
  const own = `WHERE organization_id = '${organizationId}'`;
  await asOwner(`UPDATE tax_receipts SET mail_status = 'mailed', mailed_at = now() ${own}`);
  await asOwner(`DELETE FROM outbox ${own} AND process = 'donationReceipt'`);
  return { foundation, organizationId };
}

/** A run that two requests confirm at the same moment. */
export async function aRun(platform: Platform, donors: number): Promise<Run> {
  const year = await aYear(donors);
  const admin = platform.client(year.foundation.admin);
  const { preview_hash } = (await admin.post(path, { tax_year: LAST_YEAR, dry_run: true })).body;
  const confirm = () => admin.post(path, { tax_year: LAST_YEAR, preview_hash });
  const [{ status, body }, second] = await Promise.all([confirm(), confirm()]);
  expect([status, body.receipts_planned]).toEqual([202, donors]);
  expect([second.status, second.body.id]).toEqual([202, body.id]);
  return { ...year, id: body.id, workflowId: body.workflow_id };
}

/** The run as the API shows it. */
export const readRun = async (platform: Platform, { id, foundation }: Pick<Run, 'id' | 'foundation'>) =>
  (await platform.client(foundation.admin).get(`${path}${id}/`)).body;

/** The annual receipts of an organization. */
export const annualReceiptsOf = ({ organizationId }: Pick<Run, 'organizationId'>) =>
  asOwner<{ id: string; donor_id: string; status: string; mail_status: string }>(
    `SELECT id, donor_id, status, mail_status FROM tax_receipts WHERE organization_id = $1 AND donation_id IS NULL`,
    [organizationId],
  );
