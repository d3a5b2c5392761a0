/** Three hundred pushes whose worker is killed: every phone shows one, and unknown outcomes are recorded. */
import { aRegisteredPhone } from '../activities/notifications.support.js';
import type { PushWorld } from '../gateways/push.support.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import type { WorkerDeath } from '../support/workerDies.js';
import { aWorld, type World } from '../support/world.js';

const PEOPLE = 300;
/** The most pushes that a crash may leave with an unknown outcome. */
const AT_ONCE = 50;

/** Creates members with one phone each. @returns their tokens */
async function aCrowd(world: World, push: PushWorld): Promise<string[]> {
  const people = await asOwner<{ user_id: string }>(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'phones-' || n || '@example.org', 'A', 'B' FROM generate_series(1, $2) n RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id) SELECT $1, id, $3 FROM people RETURNING user_id`,
    [world.organizationId, PEOPLE, world.chapterId],
  );
  const tokens: string[] = [];
  for (const { user_id } of people) {
    const { token } = push.standin.phones.make('ios', 'production');
    await aRegisteredPhone(user_id, token);
    tokens.push(token);
  }
  return tokens;
}

export const killedPushes = (push: PushWorld): WorkerDeath[] => [
  {
    name: 'every phone shows one notification after its worker is killed, and at most fifty attempts have no answer',
    async begin() {
      const world = await aWorld({ members: 1 });
      const tokens = await aCrowd(world, push);
      // The chunk has no answer, although pushes of it may have reached the phones.
      await push.fault({ kind: 'hold', token: tokens[130] });
      await asOwner(
        `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
         SELECT $1, user_id, 'x', 'something_new', 'membership_changed', 'Something', 'membership', id FROM memberships
          WHERE organization_id = $1 AND chapter_id = $2`,
        [world.organizationId, world.chapterId],
      );
      return {
        kills: [
          {
            async when() {
              await eventually(
                async () => push.standin.faults.holding,
                (holding) => holding === 1,
                60,
              );
              await eventually(
                async () => push.standin.phones.arrivals().length,
                (count) => count >= 49,
                60,
              );
            },
            async meanwhile() {
              // Pushes that the worker had claimed are given up after two minutes; this makes them that old.
              for (const table of ['notification_deliveries', 'push_delivery_records'])
                await asOwner(
                  `UPDATE ${table} SET claimed_at = claimed_at - interval '3 minutes' WHERE outcome IS NULL`,
                );
              push.standin.faults.release();
            },
          },
        ],
        async after() {
          const open = () =>
            asOwner(
              `SELECT 1 FROM notification_deliveries WHERE channel = 'ios' AND outcome IS NULL AND organization_id = $1`,
              [world.organizationId],
            );
          await eventually(open, (rows) => rows.length === 0, 90);

          const shown = new Map(push.standin.phones.screens().map((screen) => [screen.token, screen.shown.length]));
          expect(tokens.filter((token) => shown.get(token) !== 1)).toEqual([]);
          const [{ unknown, reached }] = (await asOwner<{ unknown: number; reached: number }>(
            `SELECT count(*) FILTER (WHERE error_code = 'unknown')::int AS unknown,
                    count(DISTINCT token_id) FILTER (WHERE outcome = 'success')::int AS reached FROM push_delivery_records`,
          )) as [{ unknown: number; reached: number }];
          expect(reached).toBe(PEOPLE);
          expect(unknown).toBeGreaterThan(0);
          expect(unknown).toBeLessThanOrEqual(AT_ONCE);
          expect(push.standin.phones.arrivals().length).toBeLessThanOrEqual(PEOPLE + unknown);
        },
      };
    },
  },
];
