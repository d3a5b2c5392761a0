/**
 * Asks until the answer is the expected one. The time limit is only for what never happens, also on a machine that is busy with
 * other things.
 * @returns the last answer
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  seconds = 60,
): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (let pauseMs = 10; ; pauseMs = Math.min(100, 2 * pauseMs)) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (Date.now() > until) throw new Error(`Not in ${seconds} s; last seen: ${JSON.stringify(answer).slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
