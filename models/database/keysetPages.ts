/** A row of a list that is sorted by id, the newest first. */
interface Keyed {
  id: string;
}

/**
 * Yields pages of rows, the newest first. `read` reads the page that follows a row, in a transaction of its own, so that
 * a slow reader holds no connection; the next page is read while the caller writes one. Rows that are added meanwhile
 * are not included.
 * @param read returns the rows that follow the row with the id `before`; null: the first rows
 */
export async function* keysetPages<Row extends Keyed>(
  read: (before: string | null) => Promise<Row[]>,
  pageSize: number,
): AsyncGenerator<Row[]> {
  let page = await read(null);
  while (page.length === pageSize) {
    const next = read(page.at(-1)?.id ?? null);
    // A caller that stops reading does not wait for this page, so its failure must not end the process.
    next.catch(() => undefined);
    yield page;
    page = await next;
  }
  if (page.length > 0) yield page;
}
