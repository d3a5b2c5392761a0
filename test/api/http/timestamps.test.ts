import { findOtherTimestamps, withUniformTimestamps } from '../../../api/http/timestamps.js';
import { rows } from '../../../models/database/rows.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { sequelize } from '../../../models/database/connection.js';

afterAll(() => sequelize.close());

test.each([
  ['2026-09-01 12:00:00.123456+00', '2026-09-01T12:00:00.123Z'],
  ['2026-09-01 12:00:00.5+00', '2026-09-01T12:00:00.500Z'],
  ['2026-09-01 14:00:00+02', '2026-09-01T12:00:00.000Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
])('%s of the database is %s in an answer', async (stored, expected) => {
  const [row] = await inPlatform(() =>
    rows<{ json: string }>(`SELECT json_build_object('at', $1::timestamptz)::text AS json`, [stored]),
  );
  expect(JSON.parse(withUniformTimestamps(row?.json ?? ''))).toEqual({ at: expected });
});

test('text that people wrote stays unchanged', () => {
  const json = JSON.stringify({
    note: 'Met at 2026-09-01T12:00:00+00:00, as "2026-09-01T12:00:00+00:00" says',
    day: '2026-09-01',
  });
  expect(withUniformTimestamps(json)).toBe(json);
});

test('every other form of a timestamp is found', () => {
  const forms = [
    '2026-09-01T12:00:00Z',
    '2026-09-01T12:00:00.000+00:00',
    '2026-09-01 12:00:00',
    '2026-09-01T12:00:00.123456Z',
  ];
  expect(findOtherTimestamps(JSON.stringify([...forms, '2026-09-01T12:00:00.000Z', '2026-09-01']))).toEqual(forms);
});
