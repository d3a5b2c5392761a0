import { PROCESSES } from '../../workflows/contracts/index.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { recordedHistories, replay } from '../support/histories.js';

const WORKFLOWS = [...PROCESSES.map(({ name }) => name), ...SCHEDULES.map(({ process }) => process.name)];

test.each(WORKFLOWS)("%s has recorded histories, and today's code replays them", async (name) => {
  const files = recordedHistories(name);
  expect(files).not.toEqual([]);
  for (const file of files) await replay(file);
});
