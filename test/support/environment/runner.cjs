/**
 * Runs the files of the fast tier beside the others, one at a time, and three of those: slow files wait for half of
 * their time (for processes, restarts and timers). Jest loads this untransformed.
 */
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');
const { FAST, tierOf, WORKERS } = require('./tiers.cjs');

const TESTS = path.resolve(__dirname, '../..');
/** Files of the fast tier that are taken at a time, so that idle workers of the others join in between. */
const BATCH_SIZE = 50;
const isFast = ({ path: file }) => tierOf(path.relative(TESTS, file)) === FAST;

module.exports = class LaneRunner extends TestRunner {
  listeners = [];

  on(event, listener) {
    this.listeners.push([event, listener]);
    return super.on(event, listener);
  }

  async runTests(tests, watcher, options) {
    const fast = tests.filter(isFast);
    const others = tests.filter((test) => !isFast(test));
    // An explicit number of workers (`-w`) is taken as given.
    const isWorkersGiven = this._globalConfig.maxWorkers !== WORKERS.all;
    if (options.serial || isWorkersGiven) return super.runTests(tests, watcher, options);
    const run = async (some, maxWorkers) => {
      const runner = new TestRunner({ ...this._globalConfig, maxWorkers }, this._context);
      for (const [event, listener] of this.listeners) runner.on(event, listener);
      await runner.runTests(some, watcher, options);
    };
    let areOthersRunning = others.length > 0;
    const fastLane = async () => {
      for (let at = 0; at < fast.length; at += BATCH_SIZE)
        await run(fast.slice(at, at + BATCH_SIZE), areOthersRunning ? WORKERS.fastBeside : WORKERS.all);
    };
    await Promise.all([
      areOthersRunning && run(others, WORKERS.others).finally(() => (areOthersRunning = false)),
      fastLane(),
    ]);
  }
};
