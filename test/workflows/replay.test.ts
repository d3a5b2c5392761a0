import { PROCESS_KINDS } from '../../workflows/contracts/index.js';
import { recordedHistories, replay } from '../support/histories.js';

test.each(PROCESS_KINDS.map(({ name }) => name))(
  "%s has recorded histories, and today's code replays them",
  async (name) => {
    const files = recordedHistories(name);
    expect(files).not.toEqual([]);
    for (const file of files) await replay(file);
  },
);
