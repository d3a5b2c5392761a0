/** Shows the progress of a long command: a bar on a terminal, plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  done: number;
  total: number;
  /** The step that was just finished. */
  label: string;
}

export interface ProgressDisplay {
  show: (progress: Progress) => void;
  end: () => void;
}

/**
 * Returns a progress bar for a terminal, or a display that prints lines.
 * @param say receives a line for each tenth of the work when there is no terminal
 */
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
