/**
 * Runs the files of the fast tier beside the others, one at a time, and three of those: they wait for half of their time
 * (for stacks, restarts, clocks), and while they do somebody else computes. Jest loads this untransformed.
 */
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');
const { SecondLook } = require('./secondLook.cjs');
const { FAST, tierOf, WORKERS } = require('./tiers.cjs');

const TESTS = path.resolve(__dirname, '../..');
/** Files of the fast tier that are taken at a time. */
const HELPING = 50;
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
    const run = async (some, maxWorkers, heard) => {
      const runner = new TestRunner({ ...this._globalConfig, maxWorkers }, this._context);
      for (const [event, listener] of heard) runner.on(event, listener);
      await runner.runTests(some, watcher, options);
    };
    const secondLook = new SecondLook();
    const listeners = this.listeners.map(([event, listener]) => [event, secondLook.hears(event, listener)]);
    let beside = others.length > 0;
    const lane = async () => {
      // In helpings, so that the workers of the others join in when those are done.
      for (let at = 0; at < fast.length; at += HELPING)
        await run(fast.slice(at, at + HELPING), beside ? WORKERS.fastBeside : WORKERS.all, listeners);
    };
    await Promise.all([beside && run(others, WORKERS.others, listeners).finally(() => (beside = false)), lane()]);
    await secondLook.take(this.listeners, (some, alone) => run(some, 1, alone));
  }
};
