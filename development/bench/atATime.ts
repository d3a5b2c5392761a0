/** Does `work` for each, so many at a time, in their order. @throws what the first that fails throws */
export async function forEachAtATime<Item>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item, place: number) => Promise<void>,
): Promise<void> {
  let begun = 0;
  const loop = async () => {
    while (begun < items.length) {
      const place = begun;
      begun += 1;
      await work(items[place] as Item, place);
    }
  };
  await Promise.all(Array.from({ length: atATime }, loop));
}
