/** How far a long command is: a bar on a terminal, plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  done: number;
  total: number;
  /** What was just done. */
  label: string;
}

export interface ProgressDisplay {
  show: (progress: Progress) => void;
  end: () => void;
}

/** @param say where lines go when there is no terminal: one for each tenth of the way */
export function progressDisplay(terminal: boolean, say: (line: string) => void): ProgressDisplay {
  return terminal ? bar() : lines(say);
}

function bar(): ProgressDisplay {
  const single = new SingleBar(
    { format: '{bar} {percentage}% | {duration_formatted} | {label}', hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  let started = false;
  return {
    show: ({ done, total, label }) => {
      if (!started) single.start(total, 0, { label: '' });
      started = true;
      single.update(done, { label });
    },
    end: () => single.stop(),
  };
}

function lines(say: (line: string) => void): ProgressDisplay {
  let tenths = 0;
  return {
    show: ({ done, total, label }) => {
      const reached = Math.floor((done * 10) / total);
      if (reached > tenths) say(`${reached * 10} %: ${label}`);
      tenths = reached;
    },
    end: () => undefined,
  };
}
