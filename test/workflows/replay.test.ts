import { PROCESS_KINDS } from '../../workflows/contracts/index.js';
import { recordedHistories, replayAll } from '../support/histories.js';

let replayed: Map<string, Error | undefined>;
beforeAll(async () => {
  replayed = await replayAll();
});

test.each(PROCESS_KINDS.map(({ name }) => name))("%s has recorded histories, and today's code replays them", (name) => {
  const files = recordedHistories(name);
  expect(files).not.toEqual([]);
  expect(files.map((file) => [file, replayed.has(file), replayed.get(file)])).toEqual(
    files.map((file) => [file, true, undefined]),
  );
});
