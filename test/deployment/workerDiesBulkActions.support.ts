/**
 * Kills the worker of a bulk action on processes: its totals add up, no target is retried twice, and a target that the
 * worker had claimed is unknown.
 */
import { inTenant } from '../../models/database/tenancy.js';
import { readBulkAction } from '../../models/processes/bulk-actions/readBulkActions.js';
import { hashPreview, startBulkAction } from '../../models/processes/bulk-actions/startBulkAction.js';
import { cancelProcess } from '../../services/processes/act.js';
import { findProcess } from '../../services/processes/findProcess.js';
import { bulkAction, markOverdue } from '../../workflows/contracts/index.js';
import { recordHistory } from '../support/histories.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { holdTransaction, type WorkerDeath } from '../support/workerDies.js';
import { aWorld, type World } from '../support/world.js';

/** Three pages. */
const PAGE = 20;
const TARGETS = 3 * PAGE;
/** As many targets are retried at the same time. */
const CONCURRENCY = 5;

/** Starts a bulk retry of intents that wait for their start. The start of the first ones hangs until `release` is called. */
async function aBulkRetry({ organizationId, admin }: World) {
  const days = Array.from({ length: TARGETS }, (_, n) => new Date(Date.UTC(2000, 0, n + 1)).toISOString().slice(0, 10));
  const workflowIds = days.map((day) => markOverdue.workflowId({ organizationId, day }));
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     SELECT $1, 'markOverdue', w.id, json_build_object('organizationId', $1::uuid, 'day', w.day), now() + interval '1 day'
       FROM unnest($2::text[], $3::text[]) AS w (id, day)`,
    [organizationId, workflowIds, days],
  );
  const release = await holdTransaction('SELECT FROM outbox WHERE workflow_id = ANY ($1) FOR UPDATE', [
    workflowIds.slice(0, CONCURRENCY),
  ]);
  const { id } = await inTenant(organizationId, async () =>
    startBulkAction({
      action: 'retry',
      workflowIds,
      previewHash: await hashPreview('retry', workflowIds),
      reason: 'Test',
      userId: admin.userId,
      kinds: null,
    }),
  );
  const read = async () => {
    const row = await inTenant(organizationId, () => readBulkAction(id, ['organization']));
    if (!row) throw new Error('There is no such bulk action.');
    return row;
  };
  const claimed = () => eventually(read, ({ totals }) => totals.acting === CONCURRENCY, 90);
  return { id, read, claimed, release };
}

export function killedBulkActions(): WorkerDeath[] {
  return [
    {
      name: 'a bulk action whose worker is killed three times has totals that add up, and retries no process twice',
      async begin() {
        const world = await aWorld({ members: 1 });
        const { id, read, claimed, release } = await aBulkRetry(world);
        const someOutcomes = (count: number) => () =>
          eventually(read, ({ totals }) => totals.completed + totals.progressed >= count, 90);
        return {
          kills: [
            { when: claimed, meanwhile: release },
            { when: someOutcomes(1 + Math.floor(Math.random() * 20)) },
            { when: someOutcomes(21 + Math.floor(Math.random() * 20)) },
          ],
          async after() {
            const { totals } = await eventually(read, ({ status }) => status === 'done', 90);
            expect(Object.values(totals).reduce((sum, count) => sum + count)).toBe(TARGETS);
            expect(totals).toMatchObject({ waiting: 0, acting: 0 });
            expect(totals.unknown).toBeGreaterThanOrEqual(CONCURRENCY);
            expect(totals.unknown).toBeLessThanOrEqual(3 * CONCURRENCY);
            const entries = await asOwner<{ workflow_id: string }>(
              `SELECT after->>'workflow_id' AS workflow_id FROM audit_log
                WHERE organization_id = $1 AND after->>'bulk_action' = $2`,
              [world.organizationId, id],
            );
            expect(new Set(entries.map(({ workflow_id }) => workflow_id)).size).toBe(entries.length);
            expect(entries).toHaveLength(TARGETS);
            await expectSoundLedger();
          },
        };
      },
    },
    {
      name: 'a bulk action that is cancelled ends after the page that has begun',
      async begin() {
        const world = await aWorld({ members: 1 });
        const { id, read, claimed, release } = await aBulkRetry(world);
        const { organizationId } = world;
        return {
          kills: [],
          async after() {
            await claimed();
            const workflowId = bulkAction.workflowId({ organizationId, bulkActionId: id });
            const find = () => findProcess({ organizationId, kinds: null }, workflowId);
            const origin = { userId: world.admin.userId, requestId: null, ipAddress: null };
            expect(await cancelProcess(find, { origin, reason: null })).toMatch(/^cancel(ling|led)$/);
            await release();
            const { totals } = await eventually(read, ({ status }) => status === 'stopped', 90);
            expect(totals).toMatchObject({ waiting: TARGETS - PAGE, acting: 0, unknown: 0 });
            await eventually(find, ({ execution }) => execution?.status !== 'running', 60);
            await recordHistory(workflowId, 'bulkAction-cancelled');
          },
        };
      },
    },
  ];
}
