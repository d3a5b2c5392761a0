/** Texts about the semester of graduation, read as a season and the year in which the academic year ends. */
import fc from 'fast-check';
import { endingYearOf, seasonOf } from '../../../models/intake/crossings/season.js';

test.each([
  ['Fall', 'FALL'],
  ['fall 2026', 'FALL'],
  ['Fa', 'FALL'],
  ['F26', 'FALL'],
  ["FALL '26", 'FALL'],
  ['Autumn', 'FALL'],
  ['Fall Semester of 2026', 'FALL'],
  ['Spr.', 'SPRING'],
  ['SPRING', 'SPRING'],
  ['sp2027', 'SPRING'],
  ['Summer term', 'SUMMER'],
  ['Su 27', 'SUMMER'],
  ['  summer  ', 'SUMMER'],
  ['Ｆａｌｌ', 'FALL'],
])("the text '%s' is the season %s", (text, season) => {
  expect(seasonOf(text)).toBe(season);
});

test.each([
  'winter',
  'May',
  'May (Spring)',
  'Spring/Summer',
  'Fall or Spring',
  '2027',
  '',
  '  ',
  'soon',
  'S27',
  'constructor',
  'springtime-ish',
])("the text '%s' has no season", (text) => {
  expect(seasonOf(text)).toBeNull();
});

test('the academic year of an autumn ends in the next year', () => {
  expect([endingYearOf('FALL', 2026), endingYearOf('SPRING', 2027), endingYearOf('SUMMER', 2027)]).toEqual([
    2027, 2027, 2027,
  ]);
});

test('a random text has at most one season and raises no error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const season = seasonOf(text);
      expect(seasonOf(` ${text.toUpperCase()} 2031`)).toBe(seasonOf(text.toUpperCase()));
      if (season) expect(seasonOf(`${text} winter`)).toBeNull();
    }),
  );
});
