/** Operations on one row besides creating and editing it. */
import { sequelize } from '../../models/database/connection.js';
import {
  changeRow,
  computed,
  createRow,
  editRow,
  lockExclusive,
  lockForEdit,
} from '../../models/database/model/change.js';
import { inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { Region } from '../../models/organizations/Region.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { countStatements } from '../support/statements.js';
import { aWorld, type World } from '../support/world.js';

let own: World;
let other: World;

beforeAll(async () => {
  [own, other] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

const here = <T>(work: () => Promise<T>) => inTenant(own.organizationId, work);
const aRegion = async (name: string) => (await here(() => createRow(Region, { name }))).id;
const nameOf = async (id: string) => (await asOwner('SELECT name FROM regions WHERE id = $1', [id]))[0]?.['name'];

test('one of two simultaneous conditional changes of a row succeeds', async () => {
  const id = await aRegion('Open');
  const close = () => here(() => changeRow(Region, { id, name: 'Open' }, { name: 'Closed' }));
  const changed = await Promise.all([close(), close()]);
  expect(changed.filter(Boolean)).toMatchObject([{ id, name: 'Closed', version: 2 }]);
});

test('a conditional change takes one statement, and changes no other row', async () => {
  const [id, beside] = [await aRegion('Upper'), await aRegion('Lower')];
  const louder = () => here(() => changeRow(Region, { id, name: 'Upper' }, { name: computed('upper(regions.name)') }));
  // Statements besides those that open and end the transaction.
  const around = await countStatements(() => here(() => Promise.resolve()));
  expect(await countStatements(louder)).toBe(around + 1);
  expect([await nameOf(id), await nameOf(beside)]).toEqual(['UPPER', 'Lower']);
});

test('a row of another tenant can be neither changed nor locked', async () => {
  const id = await aRegion('Inner');
  const there = <T>(work: () => Promise<T>) => inTenant(other.organizationId, work);
  expect(await there(() => changeRow(Region, { id }, { name: 'Taken' }))).toBeNull();
  expect(await there(() => lockExclusive(Region, id))).toBeNull();
  expect(await here(() => lockExclusive(Region, uuidv7()))).toBeNull();
  expect(await nameOf(id)).toBe('Inner');
});

test('a new row can reference a row that is locked for edit, and none that is locked exclusively', async () => {
  const id = await aRegion('Outer');
  // The lock that a foreign key takes.
  const refer = () => asOwner('SELECT 1 FROM regions WHERE id = $1 FOR KEY SHARE NOWAIT', [id]);
  await here(async () => {
    await lockForEdit(Region, id);
    expect(await refer()).toHaveLength(1);
  });
  await here(async () => {
    await lockExclusive(Region, id);
    await expect(refer()).rejects.toMatchObject({ code: '55P03' });
  });
});

test('an edit can compute a value in SQL, and returns it', async () => {
  const id = await aRegion('Centre');
  const name = await here(async () => {
    const region = await lockForEdit(Region, id);
    await editRow(region, { name: computed(`regions.name || ' two'`) });
    return region.name;
  });
  expect(name).toBe('Centre two');
});
