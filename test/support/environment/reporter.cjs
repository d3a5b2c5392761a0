/** Counts for people and for tools: 'N passed, N failed, N skipped', alone on the last line. Jest loads this untransformed. */
const { writeFileSync } = require('node:fs');

module.exports = class CountsReporter {
  nothingRan = false;

  onRunComplete(_contexts, results) {
    // A file that could not even be loaded is a failure as well.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    this.nothingRan = results.numPassedTests + failed === 0;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`;
    // The test command prints it after Jest has ended; nothing can come behind it then.
    const file = process.env['TEST_COUNTS_FILE'];
    if (file) writeFileSync(file, line);
    else process.stdout.write(line);
  }

  /** Jest ends with a failure when this returns an error. */
  getLastError() {
    return this.nothingRan ? new Error('No test ran.') : undefined;
  }
};
