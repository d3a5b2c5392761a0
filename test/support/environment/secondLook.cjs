/**
 * A file that fails in company is run once more when everything else is done, alone. Passing then, it does not stop the run,
 * but the run's last lines say so and why it failed before: whoever reads them has a test or a race to mend.
 * Only a few files are, and no property: an input that breaks a rule breaks it, however quiet the machine. Jest loads this untransformed.
 */
const FEW = 5;
const isProperty = (result) => /Property failed after|PROPERTY_SEED/.test(result.failureMessage ?? '');

class SecondLook {
  held = [];
  /** What passed only then: `{ test, failureMessage }` of the first time. */
  static flaky = [];

  /** @returns the listener that hears of everything but of what is held for a second look */
  hears(event, listener) {
    if (event !== 'test-file-success') return listener;
    return async (heard) => {
      const [test, result] = heard;
      const holds =
        result.numFailingTests > 0 && !result.testExecError && !isProperty(result) && this.held.length < FEW;
      if (holds) this.held.push({ test, failureMessage: result.failureMessage });
      else await listener(heard);
    };
  }

  /** @param run runs some tests alone, telling of each by `listeners` */
  async take(listeners, run) {
    if (this.held.length === 0) return;
    const first = new Map(this.held.map(({ test, failureMessage }) => [test.path, failureMessage]));
    const noted = async ([test, result]) => {
      if (result.numFailingTests === 0) SecondLook.flaky.push({ test, failureMessage: first.get(test.path) });
    };
    await run(
      this.held.map(({ test }) => test),
      [...listeners, ['test-file-success', noted]],
    );
  }
}

module.exports = { SecondLook };
