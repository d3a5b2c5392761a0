/**
 * Dates are local to an organization's time zone. After an upgrade, Postgres may not know a zone that an organization chose:
 * functions define the fallback once.
 * @jest-environment node
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const OF_CLOCKS = /definitions\/(local_day|local_day_of|local_hour|day_begins|local_instant)[.]sql$/;

test('every statement takes the local date of a zone through those functions', () => {
  const files = ['api', 'models', 'activities', 'services', 'bin'].flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /[.](ts|sql)$/.test(entry.name))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
  );
  expect(files.filter((file) => OF_CLOCKS.test(file))).toHaveLength(5);
  const asking = files.filter((file) =>
    /AT TIME ZONE (?!'UTC')/.test(readFileSync(path.join(ROOT, file), 'utf8').replaceAll('\n', ' ')),
  );
  expect(asking.filter((file) => !OF_CLOCKS.test(file))).toEqual([]);
});
