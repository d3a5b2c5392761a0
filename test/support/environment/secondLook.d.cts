/** Types of secondLook.cjs. */
interface Test {
  path: string;
}
type Heard = (heard: [Test, { numFailingTests: number; testExecError?: unknown; failureMessage?: string }]) => unknown;
export class SecondLook {
  static flaky: { test: Test; failureMessage?: string }[];
  hears(event: string, listener: Heard): Heard;
  take(
    listeners: [event: string, listener: Heard][],
    run: (tests: Test[], listeners: [event: string, listener: Heard][]) => Promise<void>,
  ): Promise<void>;
}
