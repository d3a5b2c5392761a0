/** Runs `work` for each item in order, with limited concurrency. @throws the error of the first item that fails */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let begun = 0;
  const loop = async () => {
    while (begun < items.length) {
      const index = begun;
      begun += 1;
      await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
}
