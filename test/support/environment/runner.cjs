/**
 * Runs the files of the fast tier beside the others, one at a time, and three of those: they wait for half of their time
 * (for stacks, restarts, clocks), and while they do somebody else computes. Jest loads this untransformed.
 */
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');
const { FAST, tierOf, WORKERS } = require('./tiers.cjs');

const TESTS = path.resolve(__dirname, '../..');
const isFast = ({ path: file }) => tierOf(path.relative(TESTS, file)) === FAST;

module.exports = class Lanes extends TestRunner {
  listeners = [];

  on(event, listener) {
    this.listeners.push([event, listener]);
    return super.on(event, listener);
  }

  async runTests(tests, watcher, options) {
    const fast = tests.filter(isFast);
    const others = tests.filter((test) => !isFast(test));
    // Whoever says how many workers there are gets just those.
    const asked = this._globalConfig.maxWorkers !== WORKERS.all;
    if (options.serial || asked) return super.runTests(tests, watcher, options);
    const lane = async (some, maxWorkers) => {
      if (some.length === 0) return;
      const runner = new TestRunner({ ...this._globalConfig, maxWorkers }, this._context);
      for (const [event, listener] of this.listeners) runner.on(event, listener);
      await runner.runTests(some, watcher, options);
    };
    const beside = others.length > 0;
    await Promise.all([lane(others, WORKERS.others), lane(fast, beside ? WORKERS.fastBeside : WORKERS.all)]);
  }
};
