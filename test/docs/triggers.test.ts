/**
 * The list of triggers is complete, in the docs and at the models. `WRITE_DOCS=1 npm test -- test/docs/triggers` writes the
 * page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import '../../models/wireAreas.js';
import { allModels } from '../../models/database/model/defineModel.js';
import { sequelize } from '../../models/database/connection.js';
import { closeOwner } from '../support/owner.js';
import { readTriggers, type Trigger } from '../support/triggers.js';

const PAGE = 'docs/developing/triggers.md';

let triggers: Trigger[];
beforeAll(async () => {
  triggers = await readTriggers();
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const row = ({ table, name, when, function: called, effects }: Trigger) =>
  `| \`${table}\` | \`${name}\` | ${when} | \`${called}\` | ${effects.join(', ')} |`;
const HEAD = (last: string) => `| Table | Trigger | When | Function | ${last} |\n| --- | --- | --- | --- | --- |`;

test('the page lists every trigger with the tables that it writes and the workflows that it starts', () => {
  const page = readFileSync(PAGE, 'utf8');
  const effective = triggers.filter(({ effects }) => effects.length > 0);
  const refusing = triggers.filter(({ effects }) => effects.length === 0);
  const fill = (text: string, mark: string, rows: string) =>
    text.replace(new RegExp(`(<!-- ${mark} -->\n)[^]*?(\n?<!-- /${mark} -->)`), `$1${rows}\n<!-- /${mark} -->`);
  const written = fill(
    fill(page, 'effects', [HEAD('Writes'), ...effective.map(row)].join('\n')),
    'rules',
    [HEAD(''), ...refusing.map(row)].join('\n'),
  );
  if (process.env['WRITE_DOCS']) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
});

test('every model names the triggers of its table that have effects', () => {
  const declared = Object.fromEntries(
    allModels().map(({ definition: { table, triggers: named = {} } }) => [table, named]),
  );
  const actual = Object.fromEntries(
    allModels().map(({ definition: { table } }) => [
      table,
      Object.fromEntries(
        triggers
          .filter((one) => one.table === table && one.effects.length > 0)
          .map(({ name, effects }) => [name, effects]),
      ),
    ]),
  );
  expect(declared).toEqual(actual);
});
