/** The child's side of supervision: our programs tell when they are ready, and leave when their supervisor does. */

const GRACE_MS = 30_000;

/**
 * Ends this process in order, as SIGTERM would, once the supervisor that started it is gone, however it went.
 * Does nothing in a process that was started in another way.
 */
export function exitWithSupervisor(): void {
  if (!process.send) return;
  const leave = () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), GRACE_MS).unref();
  };
  if (!process.connected) return leave();
  process.once('disconnect', leave);
  // Listening must not keep a program alive that has nothing else to do.
  process.channel?.unref();
}

/** Tells the supervisor, if there is one, that this program does its work now. */
export function reportReady(): void {
  // The supervisor may just be leaving; then nobody has to know.
  process.send?.('ready', () => undefined);
}
