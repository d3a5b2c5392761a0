/** Prints a command's failure for the person who ran it, and sets the exit code to 1. */
export function reportFailure(error: Error & { code?: string; errors?: { code?: string }[] }): void {
  console.error(error.message || error.code);
  const isRefused = [error, ...(error.errors ?? [])].some(({ code }) => code === 'ECONNREFUSED');
  if (isRefused)
    console.error(
      'No server listens at this address. While `npm start` runs, a command with the same DATA_DIR finds its database; otherwise set DATABASE_URL and DATABASE_OWNER_URL.',
    );
  process.exitCode = 1;
}
