/** Reads metrics as Prometheus does. */

export interface Scrape {
  text: string;
  /** The sum of a metric's samples that carry these labels; undefined when there is none. */
  value: (name: string, labels?: Record<string, string>) => number | undefined;
}

/** @param port of a process's metrics */
export async function scrape(port: number): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(60_000) });
  if (response.status !== 200) throw new Error(`The metrics answered ${response.status}.`);
  const text = await response.text();
  const samples = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: `,${labels},`, value: Number(value) }];
  });
  return {
    text,
    value(name, labels = {}) {
      const wanted = Object.entries(labels).map(([label, value]) => `,${label}="${value}",`);
      const found = samples.filter(
        (sample) => sample.name === name && wanted.every((label) => sample.labels.includes(label)),
      );
      return found.length === 0 ? undefined : found.reduce((sum, sample) => sum + sample.value, 0);
    },
  };
}
