/** A file that fails in company is run once more, alone (docs/developing/testing.md). */
import { SecondLook } from './support/environment/secondLook.cjs';

/** Runs what is held; `second` says how many of its tests fail alone. @returns what was told of each file, in order */
async function look(first: Record<string, { fails: number; message?: string }>, second: (file: string) => number) {
  const told: [file: string, fails: number][] = [];
  const tell = ([test, result]: [{ path: string }, { numFailingTests: number }]) => {
    told.push([test.path, result.numFailingTests]);
  };
  const looked = new SecondLook();
  const hear = looked.hears('test-file-success', tell);
  for (const [path, { fails, message = '' }] of Object.entries(first))
    await hear([{ path }, { numFailingTests: fails, failureMessage: message }]);
  await looked.take([['test-file-success', tell]], async (tests, listeners) => {
    for (const test of tests)
      for (const [, listener] of listeners) await listener([test, { numFailingTests: second(test.path) }]);
  });
  return told;
}

afterEach(() => {
  SecondLook.flaky = [];
});

test('what fails in company and passes alone passes, and is named with why it failed', async () => {
  const told = await look({ a: { fails: 0 }, b: { fails: 1, message: 'too slow' } }, () => 0);
  expect([told, SecondLook.flaky]).toEqual([
    [
      ['a', 0],
      ['b', 0],
    ],
    [{ test: { path: 'b' }, failureMessage: 'too slow' }],
  ]);
});

test('what fails alone as well fails, and is told once', async () => {
  expect([await look({ b: { fails: 1 } }, () => 1), SecondLook.flaky]).toEqual([[['b', 1]], []]);
});

test('a property that was broken once is broken', async () => {
  expect(await look({ p: { fails: 1, message: 'Error: Property failed after 3 tests' } }, () => 0)).toEqual([['p', 1]]);
});

test('of many that fail, most fail at once', async () => {
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((file) => [file, { fails: 1 }]));
  const told = await look(many, () => 0);
  expect(told.filter(([, fails]) => fails > 0).map(([file]) => file)).toEqual(['f', 'g']);
});
