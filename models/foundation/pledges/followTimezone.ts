import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Moves the due times of live pledges to 09:00 in the foundation's new time zone, and wakes their processes: the new time
 * may come before the one until which they sleep.
 */
export async function followTimezone(): Promise<void> {
  await rows(
    `UPDATE recurring_pledges g
        SET next_due_at = app.pledge_due_at(f.timezone, g.id, app.pledge_due_on(g.anchor_on, g.recurring_interval, g.next_period))
       FROM foundation_configs f
      WHERE f.organization_id = $1 AND g.organization_id = $1 AND g.next_due_at IS NOT NULL`,
    [currentOrganization()],
  );
  await rows(
    `SELECT app.enqueue('recurringPledge', 'pledge/' || id,
              jsonb_build_object('organizationId', organization_id, 'pledgeId', id), 'changed')
       FROM recurring_pledges WHERE organization_id = $1 AND status <> 'cancelled'`,
    [currentOrganization()],
  );
}
