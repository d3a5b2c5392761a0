/** User names in forums: one's own, those that texts mention, and the search for them. */
import { renderMarkdown } from '../../../models/markdown.js';
import { findMentionedNames } from '../../../models/forums/mentions/mentionedNames.js';
import { apiWorld } from '../../support/apiWorld.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { processorTime } from '../../support/processorTime.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
const { world, as } = stage;
const forums = new Forums(stage);
const ME = '/api/forums/me/';

/** Gives a person a user name. */
const named = async ({ userId }: Pick<Person, 'userId'>, handle: string) => {
  await asOwner('UPDATE member_handles SET handle = $2 WHERE user_id = $1', [userId, handle]);
};
const found = async (person: { token: string }, forum: string, q?: string) =>
  (await as(person).get(`${pathOf(forum, 'mention-search')}${q === undefined ? '' : `?q=${q}`}`)).body.map(
    ({ username }: { username: string }) => username,
  );

test('a person reads and changes the own user name, which is unique', async () => {
  await named(world.officer, 'the_officer');
  expect((await stage.member.get(ME)).body).toEqual({ user: world.member.userId, username: expect.any(String) });
  expect((await stage.member.patch(ME, { username: 'ada-1' })).body.username).toBe('ada-1');
  expect((await stage.member.patch(ME, { username: 'the_officer' })).body.code).toBe('duplicate');
  for (const username of ['ab', 'Ada', 'a b c', 'x'.repeat(31), null])
    expect((await stage.member.patch(ME, { username })).body.errors).toHaveProperty('username');
  expect((await stage.nobody.get(ME)).status).toBe(401);
});

test('the search finds people who see the forum, by the beginning of a user name or a name', async () => {
  const elsewhere = await aMember(world.organizationId, world.otherChapterId);
  await named(world.member, 'zed.one');
  await named(elsewhere, 'zed.two');
  await asOwner(`UPDATE users SET first_name = 'Zoë', last_name = 'Quux' WHERE id = $1`, [world.member.userId]);
  const chapterForum = await forums.create();
  expect(await found(world.officer, chapterForum, 'ZED')).toEqual(['zed.one']);
  for (const q of ['zoe', 'quu', 'Zoë%20Q']) expect(await found(world.officer, chapterForum, q)).toEqual(['zed.one']);
  for (const q of ['one', 'zed_one', '%25']) expect(await found(world.officer, chapterForum, q)).toEqual([]);
  const closed = await forums.create({ visibility: 'invite_only' });
  expect(await found(world.admin, closed, 'zed')).toEqual([]);
  await forums.add(closed, elsewhere, 'member', { by_invitation: true });
  expect(await found(world.admin, closed, 'zed')).toEqual(['zed.two']);
  expect((await stage.member.get(`${pathOf(closed, 'mention-search')}?q=zed`)).status).toBe(404);
  for (let n = 0; n < 10; n += 1) await aMember(world.organizationId, world.chapterId);
  expect(await found(world.officer, chapterForum)).toHaveLength(10);
});

/** Texts, and the names in them. */
const TEXTS: [text: string, names: string[]][] = [
  ['@ada, @bob.jones. And @Eve!', ['ada', 'bob.jones', 'eve']],
  ['(@ada) "@bob" **@eve** *@dan* - @fay', ['ada', 'bob', 'eve', 'dan', 'fay']],
  ['@ada @ADA @ada.', ['ada']],
  ['# @ada\n\n- @bob\n1. @eve', ['ada', 'bob', 'eve']],
  ['a\n@ada\nb  \n@bob', ['ada', 'bob']],
  ['`@ada` ```@bob``` \n\n    @eve\n\n```\n@dan\n```', []],
  ['> @ada\n\n> - @bob\n\n@eve', ['eve']],
  ['[@ada](https://example.org) ![@bob](https://example.org/x.png) <https://example.org/@eve>', []],
  ['https://example.org/@ada https://example.org/?to=@bob www.example.org/@eve', []],
  ['ada@example.org x@ada @ada@example.org mailto:@bob@x.org', []],
  ['@ab @a- @@ada @ada/bob @adaü ü@ada', []],
  [`@${'x'.repeat(30)} @${'y'.repeat(31)}`, ['x'.repeat(30)]],
  ['x`code`@ada', ['ada']],
  ['[x]: @ada', ['ada']],
  ['<b>@ada</b>', ['ada']],
  ['@\u212Aate @\u017Fam', []],
];

test.each(TEXTS)('the text %j names %j', (body, names) => {
  expect(findMentionedNames({ body }).map(({ name }) => name)).toEqual(names);
});

test('hostile texts are searched as fast as they are rendered', async () => {
  for (const part of ['@', '@a', '@a.', '> @a ', '[@a](', 'a@', '*@a'])
    for (const work of [renderMarkdown, (body: string) => findMentionedNames({ body: `${body} a` })]) {
      const body = part.repeat(Math.floor(20_000 / part.length));
      expect(await processorTime(async () => void work(body), 1)).toBeLessThan(2_000);
    }
  const dots = async () => {
    for (let n = 0; n < 20; n += 1) findMentionedNames({ body: `@${'.'.repeat(19_998)}a` });
  };
  expect(await processorTime(dots, 1)).toBeLessThan(2_000);
});

test('an author learns who is mentioned; more than twenty names are refused', async () => {
  const forum = await forums.create();
  const stranger = await aMember(world.organizationId, world.otherChapterId);
  await named(world.officer, 'officer.');
  await named(stranger, 'stranger');
  await named(world.member, 'member');
  const path = pathOf(forum, 'posts');
  const text = { title: 'For @officer.', body: '@stranger @missing.person @member `@officer`' };
  const { body } = await stage.member.post(path, text);
  const officer = { username: 'officer.', user: world.officer.userId, notified: true, reason: null };
  expect(body.mentions).toEqual([
    officer,
    { username: 'stranger', user: stranger.userId, notified: false, reason: 'cannot_read_forum' },
    { username: 'missing.person', user: null, notified: false, reason: 'unknown' },
    { username: 'member', user: world.member.userId, notified: false, reason: null },
  ]);
  const edited = await stage.member.patch(pathOf(forum, 'posts', body.id), { body: 'Nobody' });
  expect(edited.body.mentions).toEqual([officer]);
  const names = (count: number) => Array.from({ length: count }, (_, n) => `@name-${n}`).join(' ');
  expect((await stage.member.post(path, { title: names(10), body: names(20) })).status).toBe(201);
  const comments = pathOf(forum, 'posts', body.id, 'comments');
  for (const answer of [
    await stage.member.post(path, { title: '@another.one', body: names(20) }),
    await stage.member.post(comments, { body: names(21) }),
    await stage.member.patch(pathOf(forum, 'posts', body.id), { body: names(21) }),
  ])
    expect([answer.status, answer.body.code]).toEqual([400, 'too_many_mentions']);
});
