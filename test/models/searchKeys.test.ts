/** The search key of a name is the same in Postgres and in TypeScript. */
import { searchKey, searchKeyOf } from '../../models/organizations/search.js';
import { asOwner, closeOwner } from '../support/owner.js';

afterAll(closeOwner);

const keysOf = async (texts: string[]): Promise<string[]> =>
  (
    await asOwner<{ key: string }>(
      `SELECT ${searchKey('given.text')} AS key FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place`,
      [texts],
    )
  ).map(({ key }) => key);

test('a name has one key for all its notations', async () => {
  const written = ['Zoë Müller', 'Zoë Müller'.normalize('NFD'), 'ZOË MÜLLER', 'zoe muller'];
  expect(await keysOf(written)).toEqual(Array(4).fill('zoe muller'));
  expect(await keysOf(['Łukasz Sørensen', 'ﬁona', 'ΝΊΚΟΣ', 'Işık', '각'])).toEqual([
    'lukasz sorensen',
    'fiona',
    'νικοσ',
    'isik',
    '각'.normalize('NFD'),
  ]);
});

/** Letters of Unicode 16 and later: Postgres and Node have different versions. */
const NEW_LETTERS = /[\u1c89\u1c8a\ua7cb-\ua7dc\ua7f1]/;

test('Postgres and TypeScript agree on every letter of the Basic Multilingual Plane', async () => {
  const letters = Array.from({ length: 0xfffe }, (_, code) => String.fromCharCode(code)).filter(
    (letter) => /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(letter) && !NEW_LETTERS.test(letter),
  );
  const texts = letters.map((letter) => `a${letter}`);
  const keys = await keysOf(texts);
  expect(texts.filter((text, place) => searchKeyOf(text) !== keys[place])).toEqual([]);
});
