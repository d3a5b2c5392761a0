/** Every table that operations write has a matching model. */
import { Client } from 'pg';
import { TABLES_WITHOUT_MODEL } from '../../models/database/model/tablesWithoutModel.js';
import { allModels } from '../../models/database/model/defineModel.js';
import { loadModels, modelProblems } from './modelProblems.js';

let client: Client;

beforeAll(async () => {
  await loadModels();
  client = new Client({ connectionString: process.env['DATABASE_OWNER_URL'] as string });
  await client.connect();
});
beforeEach(() => client.query('BEGIN'));
afterEach(() => client.query('ROLLBACK'));
afterAll(() => client.end());

test('every model matches its table, and every other table has a reason', async () => {
  expect(await modelProblems(client)).toEqual([]);
});

test('every reason is a text', () => {
  for (const reason of Object.values(TABLES_WITHOUT_MODEL)) expect(reason.length).toBeGreaterThan(20);
});

test('the test finds models', () => expect(allModels().length).toBeGreaterThan(1));

/** Possible mistakes in a migration or a model, and how they are reported. */
const MISTAKES: [problem: string, sql: string][] = [
  ['regions.color is not in the model', 'ALTER TABLE regions ADD color text'],
  ['regions.states is not in the table', 'ALTER TABLE regions DROP states'],
  ['regions.name is character varying(200), not text', 'ALTER TABLE regions ALTER name TYPE varchar(200)'],
  ['regions.name is nullable', 'ALTER TABLE regions ALTER name DROP NOT NULL'],
  ['regions.version has the default null, not 1', 'ALTER TABLE regions ALTER version DROP DEFAULT'],
  ['regions.version has the default 2, not 1', 'ALTER TABLE regions ALTER version SET DEFAULT 2'],
  ['regions.states has the default ["OH"], not []', `ALTER TABLE regions ALTER states SET DEFAULT '{OH}'`],
  [
    'regions.id has the default gen_random_uuid(), not uuidv7()',
    'ALTER TABLE regions ALTER id SET DEFAULT gen_random_uuid()',
  ],
  ['regions.id is not of the primary key', 'ALTER TABLE regions DROP CONSTRAINT regions_pkey'],
  ['regions: nothing raises regions_name_unique', 'ALTER TABLE regions DROP CONSTRAINT regions_name_unique'],
  ['regions is not touched', 'DROP TRIGGER regions_touch ON regions'],
  ['probe has no model, and no reason', 'CREATE TABLE probe (id uuid PRIMARY KEY)'],
  ['throttles has a reason, and is not there', 'DROP TABLE throttles'],
];

test.each(MISTAKES)('the check finds the difference: %s', async (problem, sql) => {
  await client.query(sql);
  expect(await modelProblems(client)).toContain(problem);
});
