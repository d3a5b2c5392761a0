/** The child's side of supervision: programs report when they are ready, and exit when their supervisor does. */

const GRACE_MS = 30_000;

/**
 * Exits gracefully, as on SIGTERM, once the supervisor that started this process is gone for any reason. Does nothing
 * in a process started otherwise.
 */
export function exitWithSupervisor(): void {
  if (!process.send) return;
  const leave = () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), GRACE_MS).unref();
  };
  if (!process.connected) return leave();
  process.once('disconnect', leave);
  // The open channel to the supervisor must not by itself keep the program running.
  process.channel?.unref();
}

/** Reports to the supervisor, if there is one, that this program is ready. */
export function reportReady(): void {
  // The supervisor may be exiting; then the report is not needed.
  process.send?.('ready', () => undefined);
}
