/** After all tests: stops the services, if this run started them. */

/** Jest calls this once per run. */
export default async function globalTeardown(): Promise<void> {
  const keeper = globalThis.testServicesKeeper;
  if (!keeper || keeper.exitCode !== null) return;
  const ended = new Promise((resolve) => keeper.once('exit', resolve));
  keeper.stdin?.end();
  await ended;
}
