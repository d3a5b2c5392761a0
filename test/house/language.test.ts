/** The code base is written in plain language: no private words in names, comments or messages (docs/developing/style.md). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { allRoutes } from '../../api/routes.js';
import { errorTable } from '../../models/errors.js';
import '../../models/wireAreas.js';

const ROOT = path.resolve(__dirname, '../..');
const FOLDERS = ['api', 'models', 'workflows', 'activities', 'services', 'gateways', 'bin', 'development'];

const files = [
  'config.ts',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  ).filter((file) => /\.(ts|sql|mjs|cjs)$/.test(file) && !file.includes('node_modules')),
].map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

/** Relative pronouns without a noun: the sentence does not say who or what it is about. */
const WORDS = /\b(whoever|whomever|whatever|nobody)\b/i;
/** Beginnings of fragments whose subject is somewhere else. */
const OPENERS =
  /^(?:(?:Of|Whose|Whom|Who|What is|What was|Those that|Those of)\b|The same(?=[,.:;]| (?:of|for|as|with|by|in|at|without|or|and|to)\b))/;
/** Participles and pronouns that do not say what a value is. */
const NAMES = ['told', 'asked', 'taken', 'kept', 'said', 'alike', 'those', 'whose', 'whoever', 'gone', 'most'];
const DECLARED = new RegExp(String.raw`\b(?:const|let|function|interface|type|class)\s+(${NAMES.join('|')})\b`, 'gi');

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|--.*/g, '');

/** Returns the comments of a file, each as one line of text, with the line where it begins. */
function commentsOf({ file, text }: { file: string; text: string }): { at: string; comment: string }[] {
  const line = file.endsWith('.sql') ? /(?:^[ \t]*--.*\n?)+/gm : /(?:^[ \t]*\/\/.*\n?)+/gm;
  const blocks = file.endsWith('.sql') ? [] : [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)];
  return [...text.matchAll(line), ...blocks].map((match) => ({
    at: `${file}:${text.slice(0, match.index).split('\n').length}`,
    comment: match[0]
      .replaceAll(/^[ \t]*(\/\*\*|\*\/|\*|\/\/|--)[ \t]?|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}

const comments = files.flatMap(commentsOf);

test('the comments of every folder are read', () => {
  expect(comments.length).toBeGreaterThan(3_000);
  const [found] = commentsOf({ file: 'a.ts', text: 'const a = 1;\n/**\n * The same,\n * or null.\n */\n' });
  expect(found).toEqual({ at: 'a.ts:2', comment: 'The same, or null.' });
});

test('no comment says whoever, whatever or nobody', () => {
  expect(comments.filter(({ comment }) => WORDS.test(comment))).toEqual([]);
});

test('no comment begins as a fragment', () => {
  expect(comments.filter(({ comment }) => OPENERS.test(comment))).toEqual([]);
});

test('no declared name is a participle or a pronoun', () => {
  const declared = files.flatMap(({ file, text }) =>
    [...withoutComments(text).matchAll(DECLARED)].map(([, name], n) => ({ file, name, n })),
  );
  expect(declared).toEqual([]);
});

test('no error detail and no OpenAPI summary uses those words', () => {
  const texts = [
    ...errorTable().map(({ code, detail }) => ({ at: code, text: detail })),
    ...allRoutes.flatMap(({ path: at, spec: { summary, description = '' } }) => [
      { at, text: summary },
      { at, text: description },
    ]),
  ];
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter(({ text }) => WORDS.test(text) || OPENERS.test(text))).toEqual([]);
});
