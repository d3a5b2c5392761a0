/** Waits until the platform is at rest, for as long as somebody has patience. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 500;

/** @param look says what still moves; throws while a part is away. @returns what still moved when patience ended */
export async function untilQuiet(look: () => Promise<string[]>, patienceSeconds: number): Promise<string[]> {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (let calm = 0; ; ) {
    const unrest = await look().catch((error: Error) => [`a part does not answer: ${error.message}`]);
    calm = unrest.length === 0 ? calm + 1 : 0;
    // Twice in a row: something may just have left one place and not yet have come to the next.
    if (calm === 2 || Date.now() > deadline) return unrest;
    await sleep(LOOK_MS);
  }
}
