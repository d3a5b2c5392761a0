/** A client of the control port of the push stand-ins. */
import { z } from 'zod';

const Arrivals = z.array(z.object({ id: z.string(), platform: z.string(), token: z.string() }));
const TIMEOUT_MS = 3_000;

export class Phones {
  constructor(private readonly controlUrl: string) {}

  /** Holds the next push. @returns false when the stand-in does not answer, so that nothing is held */
  async holdNext(): Promise<boolean> {
    return (await this.reach('POST', '/faults', { kind: 'hold' })) !== null;
  }

  /** Reports whether a push is held now. */
  async isHolding(): Promise<boolean> {
    const answer = await this.reach('GET', '/faults');
    return z.object({ holding: z.number() }).safeParse(answer).data?.holding === 1;
  }

  /** Releases held pushes. */
  async release(): Promise<void> {
    await this.reach('DELETE', '/faults');
  }

  /** Lists the pushes that reached a phone. @throws Error when the stand-in does not answer */
  async arrivals(): Promise<z.output<typeof Arrivals>> {
    return Arrivals.parse(await this.reach('GET', '/ledger'));
  }

  /** @returns null when the stand-in does not answer */
  private async reach(method: string, path: string, body?: object): Promise<unknown> {
    try {
      const answer = await fetch(this.controlUrl + path, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }
}
