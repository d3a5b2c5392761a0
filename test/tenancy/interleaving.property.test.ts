/** Transactions of two tenants on a few connections never see each other's rows, in any interleaving. */
import fc from 'fast-check';
import { asOwner, closeOwner } from '../support/owner.js';
import { casesOf } from '../support/seed.js';
import { aWorld } from '../support/world.js';

// Fewer connections than clients, so that every connection is reused by the other tenant; read when the modules load.
process.env['DATABASE_POOL'] = '2';
const load = async () => ({
  ...(await import('../../models/database/connection.js')),
  ...(await import('../../models/database/tenancy.js')),
  ...(await import('../../models/database/rows.js')),
  ...(await import('../../models/organizations/Region.js')),
});

type Step = 'read' | 'read a row' | 'write' | 'pause' | 'other id' | 'fail' | 'break';

interface Visit {
  /** Index of the tenant; null for a transaction without one. */
  tenant: 0 | 1 | null;
  readOnly: boolean;
  steps: Step[];
}

const visit: fc.Arbitrary<Visit> = fc.record({
  tenant: fc.constantFrom(0, 1, null),
  readOnly: fc.boolean(),
  steps: fc.array(fc.constantFrom<Step>('read', 'read a row', 'write', 'pause', 'other id', 'fail', 'break'), {
    minLength: 1,
    maxLength: 5,
  }),
});

afterAll(async () => {
  await (await load()).sequelize.close();
  await closeOwner();
});

test('no interleaving shows or writes a row of another tenant', async () => {
  const { inTenant, inPlatform, rows, Region } = await load();
  const organizations = [(await aWorld({ members: 1 })).organizationId, (await aWorld({ members: 1 })).organizationId];
  const regionsOf = async (organizationId: string) =>
    (await asOwner<{ name: string }>('SELECT name FROM regions WHERE organization_id = $1', [organizationId])).map(
      ({ name }) => name,
    );
  const expected = [
    new Set(await regionsOf(organizations[0] as string)),
    new Set(await regionsOf(organizations[1] as string)),
  ];
  const foreign: unknown[] = [];
  let counter = 0;

  async function run({ tenant, readOnly, steps }: Visit): Promise<void> {
    const id = tenant === null ? null : (organizations[tenant] as string);
    const otherId = organizations[tenant === 0 ? 1 : 0] as string;
    const written: string[] = [];
    const work = async () => {
      for (const step of steps) {
        if (step === 'pause') await new Promise((resolve) => setTimeout(resolve, counter % 3));
        if (step === 'fail') throw new Error('planned');
        if (step === 'break') await rows('SELECT 1 / 0');
        const seen =
          step === 'read'
            ? await rows<{ organization_id: string }>('SELECT organization_id FROM regions')
            : step === 'read a row'
              ? await Region.findAll()
              : step === 'other id'
                ? await rows<{ organization_id: string }>('SELECT * FROM regions WHERE organization_id = $1', [otherId])
                : [];
        foreign.push(...seen.filter(({ organization_id }) => organization_id !== id));
        if (step === 'write' && id) {
          const name = `region ${(counter += 1)}`;
          await Region.create({ organization_id: id, name, states: [] });
          written.push(name);
        }
      }
    };
    try {
      await (id ? inTenant(id, work, { readOnly }) : inPlatform(work, { readOnly }));
    } catch {
      return;
    }
    if (tenant !== null) for (const name of written) expected[tenant]?.add(name);
  }

  await fc.assert(
    fc.asyncProperty(fc.array(visit, { minLength: 2, maxLength: 12 }), async (visits) => {
      await Promise.all(visits.map(run));
      expect(foreign).toEqual([]);
      for (const tenant of [0, 1] as const) {
        expect(new Set(await regionsOf(organizations[tenant] as string))).toEqual(expected[tenant]);
      }
    }),
    { numRuns: casesOf({ test: 25, release: 120 }) },
  );
});
