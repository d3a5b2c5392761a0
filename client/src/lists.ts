/** Reads paginated lists. */
import type { AnyCall, AnyOptions } from './call.js';
import type { Result } from './result.js';

const MAX_PAGE_SIZE = 100;

interface AnyPage {
  next: string | null;
  results: unknown[];
}

/** Yields the result of each page, and ends after a failure. */
export async function* readPages(
  call: AnyCall,
  path: string,
  { params, ...options }: AnyOptions = {},
): AsyncGenerator<Result<AnyPage>, void> {
  const query = { page: 1, page_size: MAX_PAGE_SIZE, ...params?.query };
  for (let { page } = query; ; page += 1) {
    const result = (await call('get', path, {
      ...options,
      params: { ...params, query: { ...query, page } },
    })) as Result<AnyPage>;
    // Rows were removed after the page before was read, and this page no longer exists.
    if (page > query.page && !result.ok && result.kind === 'refused' && result.code === 'page_not_found') return;
    yield result;
    if (!result.ok || !result.data.next) return;
  }
}

/** Returns the rows of all pages, or the first failure. */
export async function readAll(call: AnyCall, path: string, options?: AnyOptions): Promise<Result<unknown[]>> {
  const rows: unknown[] = [];
  for await (const page of readPages(call, path, options)) {
    if (!page.ok) return page;
    rows.push(...page.data.results);
  }
  return { ok: true, data: rows };
}
