/** Prints a command's failure in words for the person who typed it, and sets the exit code to 1. */
export function complain(error: Error & { code?: string; errors?: { code?: string }[] }): void {
  console.error(error.message || error.code);
  const refused = [error, ...(error.errors ?? [])].some(({ code }) => code === 'ECONNREFUSED');
  if (refused)
    console.error(
      'Nobody answers there. Beside a running `npm start` a command finds the database by itself, given the same DATA_DIR; elsewhere DATABASE_URL and DATABASE_OWNER_URL name it.',
    );
  process.exitCode = 1;
}
