/** Crossings and imports whose worker is killed. */
import { temporal } from '../../gateways/temporal/client.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform } from '../support/platform.js';
import { lockWaits } from '../support/lockWaits.js';
import { holdTransaction, type WorkerDeath } from '../support/workerDies.js';
import { aMember, aWorld, type Person, type World } from '../support/world.js';

interface Stage {
  platform: Platform;
  world: World;
}

/** More lines than one batch. */
const LINES = 1_100;

export const killedMemberships = ({ platform, world }: Stage): WorkerDeath[] => [
  {
    name: 'a crossing whose worker is killed is completed once by the next worker',
    async begin() {
      const people = await Promise.all(
        Array.from({ length: 4 }, () => aMember(world.organizationId, world.chapterId, 'member', 'pnm')),
      );
      const memberships = people.map(({ membershipId }) => membershipId);
      const profiles = await asOwner<{ id: string }>(
        `UPDATE pnm_profiles SET stage = 'in_progress', birth_date = '2005-04-12' WHERE membership_id = ANY ($1) RETURNING id`,
        [memberships],
      );
      const cross = (more: object) =>
        platform
          .client(world.officer)
          .post(`/api/chapters/${world.chapterId}/pnm/cross/`, { pnm_ids: profiles.map(({ id }) => id), ...more });
      const carried = () =>
        asOwner<{ fates: number; logged: number; born: string; welcomed: boolean }>(
          `SELECT (SELECT count(*)::int FROM crossing_fields f WHERE f.crossing_id = c.id) AS fates,
                  (SELECT count(*)::int FROM audit_log l WHERE l.subject_id = c.id AND l.action = 'crossing.carried') AS logged,
                  p.date_of_birth::text AS born, c.welcomed_at IS NOT NULL AS welcomed
             FROM crossings c JOIN memberships m ON m.id = c.membership_id JOIN member_profiles p ON p.user_id = m.user_id
            WHERE c.membership_id = ANY ($1)`,
          [memberships],
        );
      const [whole, nothing] = [
        { fates: 7, logged: 1, born: '2005-04-12', welcomed: true },
        { fates: 0, logged: 0, born: null, welcomed: false },
      ];
      const [first] = people as [Person];
      // A profile is being saved in another transaction: its step gets as far as that row.
      const release = await holdTransaction('UPDATE member_profiles SET preferred_name = NULL WHERE user_id = $1', [
        first.userId,
      ]);
      expect((await cross({ preview_hash: (await cross({ dry_run: true })).body.preview_hash })).status).toBe(202);
      return {
        kills: [
          {
            async when() {
              await eventually(carried, (seen) => seen.filter(({ welcomed }) => welcomed).length === 3, 60);
              await eventually(lockWaits, (waits) => waits.length > 0, 60);
            },
            async meanwhile() {
              expect(await carried()).toEqual(expect.arrayContaining([whole, whole, whole, nothing]));
              await release();
            },
          },
        ],
        async after() {
          const seen = await eventually(carried, (all) => all.every(({ welcomed }) => welcomed), 60);
          expect(seen).toEqual([whole, whole, whole, whole]);
        },
      };
    },
  },
  {
    name: 'an import whose worker is killed imports each line once',
    async begin() {
      const { organizationId, chapterId, admin: person } = await aWorld();
      const admin = platform.client(person);
      const [made] = await asOwner<{ id: string }>(
        `INSERT INTO bulk_imports (organization_id, file_name, stage, mapping, chapter_id, rows_total)
         VALUES ($1, 'roster.csv', 'mapping', '{"email": 0, "first_name": 1, "last_name": 2}', $2, $3) RETURNING id`,
        [organizationId, chapterId, LINES],
      );
      const id = made?.id as string;
      await asOwner(
        `INSERT INTO bulk_import_rows (organization_id, import_id, line, cells)
         SELECT $1, $2, n + 1, jsonb_build_array('imported-' || n || '@example.org', 'A', 'B') FROM generate_series(1, $3) n`,
        [organizationId, id, LINES],
      );
      const address = `/api/imports/${id}/`;
      const until = (holds: (row: Record<string, unknown>) => boolean) =>
        eventually(async () => (await admin.get(address)).body, holds, 60);
      let release: () => Promise<void>;
      expect((await admin.post(`${address}preview/`)).status).toBe(202);
      return {
        kills: [
          {
            when: () => until(({ step }) => step === null),
            async meanwhile() {
              const { preview_hash, rows_create } = (await admin.get(address)).body;
              expect(rows_create).toBe(LINES);
              // The second batch waits for this line.
              release = await holdTransaction(
                'SELECT FROM bulk_import_rows WHERE import_id = $1 AND line = 700 FOR UPDATE',
                [id],
              );
              const confirmed = await admin.post(`${address}process/`, { preview_hash, on_existing: 'skip' });
              expect(confirmed.status).toBe(202);
            },
          },
          { when: () => until(({ rows_created }) => rows_created === 500), meanwhile: () => release() },
        ],
        async after() {
          expect(await until(({ outcome }) => outcome !== null)).toMatchObject({
            outcome: 'completed',
            rows_created: LINES,
            rows_failed: 0,
          });
          const periods = await asOwner(
            `SELECT count(*)::int AS periods, count(DISTINCT membership_id)::int AS people FROM membership_periods WHERE source = 'import'`,
          );
          expect(periods).toEqual([{ periods: LINES, people: LINES }]);
          const workflowId = `import/${id}/process/2`;
          await temporal().workflow.getHandle(workflowId).result();
          await recordHistory(workflowId, 'importStep-processed');
        },
      };
    },
  },
];
