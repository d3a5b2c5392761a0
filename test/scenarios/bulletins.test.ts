/** A bulletin from scheduling to the notification: it is published at its time, in its latest edition, and can be withdrawn. */
import { temporal } from '../../gateways/temporal/client.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';

const stage = apiWorld();
queueWorkers(['notify']);

const workflow = (id: string, edition: number) => `bulletin/${id}/${edition}`;
const stands = (id: string, edition: number, status: string) =>
  eventually(
    () =>
      temporal()
        .workflow.getHandle(workflow(id, edition))
        .describe()
        .catch(() => null),
    (seen) => seen?.status.name === status,
    60,
  );
const ended = async (id: string, edition: number): Promise<unknown> => {
  await stands(id, edition, 'COMPLETED');
  return temporal().workflow.getHandle(workflow(id, edition)).result();
};
const notificationsOf = (id: string) =>
  asOwner('SELECT FROM notifications WHERE subject_id = $1 AND unlisted_reason IS NULL', [id]);

test('a bulletin is published at its time in its latest edition, notifies its readers once, and can be withdrawn', async () => {
  const publish_at = new Date(Date.now() + 86_400_000).toISOString();
  const { body } = await stage.admin.post(`/api/organizations/${stage.world.organizationId}/bulletins/`, {
    title: 'Rush',
    body_html: '<p>Soon.</p>',
    target_type: 'organization',
    publish_at,
  });
  const verb = (name: string) => stage.admin.post(`/api/bulletins/${body.id}/${name}/`);
  await stands(body.id, 1, 'RUNNING');
  await verb('publish');
  expect([await ended(body.id, 1), await ended(body.id, 2)]).toEqual(['called_off', 'told']);
  expect((await notificationsOf(body.id)).length).toBeGreaterThan(0);
  await verb('unpublish');
  expect(await ended(body.id, 3)).toBe('called_off');
  expect(await notificationsOf(body.id)).toEqual([]);
  await recordHistory(workflow(body.id, 1), 'publishBulletin-replaced');
  await recordHistory(workflow(body.id, 2), 'publishBulletin-tells');
  await recordHistory(workflow(body.id, 3), 'publishBulletin-withdraws');
});
