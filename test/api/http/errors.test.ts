/** Tests which answer each kind of failure becomes. */
import { refusalOf } from '../../../api/http/errorHandler.js';
import { sequelize } from '../../../models/database/connection.js';
import { createAuxiliaryPool } from '../../../models/database/auxiliaryPool.js';
import { rows } from '../../../models/database/rows.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { errorTable } from '../../../models/errors.js';

afterAll(() => sequelize.close());

/** The error code that a client gets when this statement fails. */
const codeOf = (statement: string) =>
  inPlatform(() => rows(statement)).then(
    () => 'no error',
    (error: unknown) => refusalOf(error).code,
  );
const raising = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '${state}'; END $$`;

test.each([
  ['a duplicate', '23505', 'duplicate'],
  ['a reference to nothing', '23503', 'conflict'],
  ['a change to what is on record', '23001', 'conflict'],
  ['a rule of the database without a message of its own', '23514', 'unprocessable'],
  ['a number that is too large', '22003', 'validation_error'],
  ['a lost race', '40001', 'conflict'],
  ['a deadlock', '40P01', 'conflict'],
  ['a statement that took too long', '57014', 'unavailable'],
  ['a database that shuts down', '57P01', 'unavailable'],
  ['too many connections', '53300', 'unavailable'],
  ['a mistake in our SQL', '42601', 'server_error'],
])('%s becomes its error code', async (_what, state, code) => {
  expect(await codeOf(raising(state))).toBe(code);
});

test('a database that cannot be reached is a 503 with Retry-After', async () => {
  const pool = createAuxiliaryPool('postgres://nobody:none@127.0.0.1:1/none');
  const refusal = await pool.query('SELECT 1').then(() => null, refusalOf);
  await pool.end();
  expect(refusal).toMatchObject({ status: 503, code: 'unavailable', headers: { 'Retry-After': '5' } });
});

test.each([undefined, null, 'text', 7, {}])('%p, thrown, is a 500', (thrown) => {
  expect(refusalOf(thrown).code).toBe('server_error');
});

test('every error has a lower-case code and a status of 400 or more', () => {
  for (const { code, status } of errorTable()) {
    expect(code).toMatch(/^[a-z][a-z_]+$/);
    expect(status).toBeGreaterThanOrEqual(400);
  }
});
